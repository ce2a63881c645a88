import type { BlockOf, StepBase } from '../../plan/step-base';

/** A branch of several steps. Puts out what the last of its steps that ran put out. */
export interface GroupOf<S> extends StepBase {
  kind: 'group';
  block: BlockOf<S>;
}
