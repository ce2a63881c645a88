import type { GrantNeed } from '../../../plan/brief/authority';
import type { ApprovalNeed } from '../../../plan/people/category';
import { GATE_CHOICES, type Gate } from '../../../plan/people/gate';
import type { CategoryPolicy } from '../../../plan/plan';
import type { EscalationTarget } from '../../../plan/steps/action';
import type { EarlierAdvice, EscalationRound } from '../../../plan/steps/escalation';
import type { RenderedApproval } from '../../../plan/steps/step-activity';
import type { TakenDecision } from './gate-record';

/** A gate as its step or an escalation defines it, before it is opened. With `fourEyes`, `notBy` has the owner and who started the run. */
export interface GateSpec extends CategoryPolicy, Pick<Gate, 'kind' | 'notBy' | 'category' | 'ballot' | 'raise'> {
  /** Steps whose outputs are laid before the person. */
  show: readonly string[];
  /** @default those of its kind */
  choices?: readonly string[];
  escalation?: { reason: string; chain: readonly EscalationTarget[]; before?: EarlierAdvice[]; rounds?: EscalationRound[] };
  /** The known question: of an approval after a command, of a stage that asks. */
  asked?: RenderedApproval;
  /** The run's own question, as for a budget gate, and whose budget it is. */
  statement?: string;
  account?: string;
  /** Exactly what a tool that its agent calls is about to do. With `category` alone: what the step is about to do. */
  need?: ApprovalNeed | GrantNeed;
  /** What an earlier try of the step was allowed. */
  given?: TakenDecision;
  /** The answer holds only for this try, and for nothing after the step. */
  holdsHere?: true;
  /** Whether the answer is no longer needed; the code that changes this wakes the gate. */
  over?: () => boolean;
  /** Called once the gate has closed, in the execution in which it closes. */
  taken?: () => void;
}

export function choicesOf({ choices, kind }: Pick<GateSpec, 'kind' | 'choices'>): readonly string[] {
  return choices ?? GATE_CHOICES[kind];
}
