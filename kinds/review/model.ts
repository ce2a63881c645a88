import type { Action } from '../../plan/steps/action';
import type { AgentWorkSpec } from '../../plan/steps/step-base';

/** The default of `stallRounds`, if the step has actions for it. */
export const DEFAULT_STALL_ROUNDS = 2;

export interface ReviewStep extends AgentWorkSpec {
  kind: 'review';
  /** The step that is judged. */
  of: string;
  onRevise?: Action[];
  onBlock?: Action[];
  /** A second reviewer, independent of the first; if the two disagree, a person decides. */
  critic?: string;
  /** Stop asking for revisions when findings have not gone down for this many rounds. */
  stallRounds?: number;
  /** Then. @default `onBlock` */
  onStall?: Action[];
  /** The report says that no revision helps. @default `onBlock` */
  onUnfixable?: Action[];
}
