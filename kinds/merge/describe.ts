import { defined } from '../../plan/defined';
import { describeActions } from '../../plan/steps/action';
import type { Description } from '../../plan/steps/description';
import { fact } from '../../plan/steps/description-parts';
import type { StepBase } from '../../plan/steps/step-base';
import type { MergeStep } from './model';

export interface ShownMerge extends Omit<MergeStep, keyof StepBase | 'into'> {
  into: string;
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
