import { defined } from '../../plan/defined';
import type { Description } from '../../plan/steps/description';
import { fact, parallelism, stepLabel } from '../../plan/steps/description-parts';
import { INDEX_VAR, ITEM_VAR } from '../../plan/steps/item-names';
import type { ForEachStep } from '../../plan/steps/step';
import type { ItemPolicy } from '../../plan/steps/stream';
import { duration } from '../../plan/text/duration';

export interface ShownForEach {
  kind: 'for_each';
  items?: string;
  /** The step whose items it takes while that one works. */
  stream?: string;
  policy?: ItemPolicy;
  /** Set if the list is known. */
  count?: number;
  itemVar: string;
  indexVar: string;
  label?: string;
  maxConcurrent: number;
  batchSize?: number;
  pauseMs?: number;
}

export const FOR_EACH_DESCRIPTION: Description<ForEachStep, ShownForEach> = {
  data(step, words) {
    const count = step.items && words.count(step.items);
    return {
      kind: 'for_each',
      ...defined({ items: step.items && words.expression(step.items), stream: step.stream, policy: step.policy, count }),
      itemVar: step.itemVar ?? ITEM_VAR,
      indexVar: step.indexVar ?? INDEX_VAR,
      ...defined({ label: step.label && words.text(step.label) }),
      maxConcurrent: step.maxConcurrent ?? 1,
      ...defined({ batchSize: step.batchSize, pauseMs: step.pauseMs }),
    };
  },
  line({ itemVar, items, stream, count, maxConcurrent, pauseMs, batchSize }) {
    const how = maxConcurrent === 1 ? 'one after the other' : `${maxConcurrent} at once`;
    const batch = pauseMs === undefined && batchSize !== undefined ? `, in batches of ${batchSize}` : '';
    const pause = pauseMs === undefined ? '' : `, a pause of ${duration(pauseMs)} after every ${batchSize ?? 1}`;
    const over = stream === undefined ? `of ${items}` : `that ${stream} emits, at once`;
    return `for each ${itemVar} ${over}${count === undefined ? '' : ` (${count})`}, ${how}${batch}${pause}`;
  },
  facts: ({ indexVar, label, policy }) => [
    ...fact('index', indexVar === INDEX_VAR ? undefined : indexVar),
    ...fact('label', label),
    ...fact('each item', policy && policyText(policy)),
  ],
  label: ({ maxConcurrent }, view) =>
    stepLabel([
      'each item',
      parallelism(maxConcurrent),
      view?.iterations !== undefined && `${view.iterations.done}/${view.iterations.total}`,
    ]),
  shape: 'frame',
  frame: 'loop',
};

function policyText({ timeoutMs, fixes, onFailed, onAllBlocked }: ItemPolicy): string {
  const again = fixes === 1 ? 'once' : `${fixes} times`;
  return `${duration(timeoutMs)}, begins again ${again} at most; if an item fails: ${onFailed}; if all are blocked: ${onAllBlocked}`;
}
