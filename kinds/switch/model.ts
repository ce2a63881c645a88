import type { StepBase } from '../../plan/steps/step-base';

/**
 * The first case that holds runs, and no other. A case is a branch whose `when` says that it holds and that none before it does; the last
 * may be a default, for when none does. Outputs the output of the case that ran; nothing if none ran.
 */
export interface SwitchOf<S> extends StepBase {
  kind: 'switch';
  branches: S[];
}
