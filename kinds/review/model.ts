import type { Action } from '../../plan/steps/action';
import type { AgentWorkSpec } from '../../plan/steps/step-base';

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
}
