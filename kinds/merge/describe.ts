import { defined } from '../../plan/defined';
import type { MergeStrategy } from '../../plan/queue/queue-settings';
import { type Action, describeActions } from '../../plan/steps/action';
import type { Description } from '../../plan/steps/description';
import { fact } from '../../plan/steps/description-parts';
import type { MergeStep } from './model';

export interface ShownMerge {
  kind: 'merge';
  from: string[];
  into: string;
  test?: string;
  strategy?: MergeStrategy;
  onConflict?: Action[];
  cleanup?: true;
}

export const MERGE_DESCRIPTION: Description<MergeStep, ShownMerge> = {
  data: ({ from, into, test, strategy, onConflict, cleanup }, words) => ({
    kind: 'merge',
    from,
    into: words.text(into),
    ...defined({ test, strategy, onConflict, cleanup }),
  }),
  line: ({ from, into }) => `merge ${from.join(', ')} into ${into}`,
  facts: ({ test, strategy, onConflict, cleanup }) => [
    ...fact('test', test),
    ...fact('strategy', strategy),
    ...fact('on conflict', onConflict && describeActions(onConflict)),
    ...fact('worktrees', cleanup && 'removed once all has landed'),
  ],
  label: ({ from }) => `from ${from.join(', ')}`,
  shape: 'work',
};
