import type { BlockOf, StepBase } from '../../plan/steps/step-base';

/** A branch of several steps. Puts out the output of the last of its steps that ran. */
export interface GroupOf<S> extends StepBase {
  kind: 'group';
  block: BlockOf<S>;
}
