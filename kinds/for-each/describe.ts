import { atOnce, fact, labelOf } from '../../plan/describing';
import type { Description } from '../../plan/description';
import { duration } from '../../plan/duration';
import type { ForEachStep } from '../../plan/step';
import { INDEX_VAR, ITEM_VAR } from './model';

export interface ShownForEach {
  kind: 'for_each';
  items: string;
  /** Where the list is known. */
  count?: number;
  itemVar: string;
  indexVar: string;
  maxConcurrent: number;
  batchSize?: number;
  pauseMs?: number;
}

export const FOR_EACH_DESCRIPTION: Description<ForEachStep, ShownForEach> = {
  data(step, words) {
    const count = words.count(step.items);
    return {
      kind: 'for_each',
      items: words.expression(step.items),
      ...(count === undefined ? {} : { count }),
      itemVar: step.itemVar ?? ITEM_VAR,
      indexVar: step.indexVar ?? INDEX_VAR,
      maxConcurrent: step.maxConcurrent ?? 1,
      ...(step.batchSize === undefined ? {} : { batchSize: step.batchSize }),
      ...(step.pauseMs === undefined ? {} : { pauseMs: step.pauseMs }),
    };
  },
  line({ itemVar, items, count, maxConcurrent, pauseMs, batchSize }) {
    const how = maxConcurrent === 1 ? 'one after the other' : `${maxConcurrent} at once`;
    const batch = pauseMs === undefined && batchSize !== undefined ? `, in batches of ${batchSize}` : '';
    const pause = pauseMs === undefined ? '' : `, a pause of ${duration(pauseMs)} after every ${batchSize ?? 1}`;
    return `for each ${itemVar} of ${items}${count === undefined ? '' : ` (${count})`}, ${how}${batch}${pause}`;
  },
  facts: ({ indexVar }) => fact('index', indexVar === INDEX_VAR ? undefined : indexVar),
  label: ({ maxConcurrent }, view) =>
    labelOf(['each item', atOnce(maxConcurrent), view?.iterations !== undefined && `${view.iterations.done}/${view.iterations.total}`]),
  shape: 'frame',
  frame: 'loop',
};
