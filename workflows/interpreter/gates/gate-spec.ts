import type { BudgetOrder } from '../../../plan/budgets/budget';
import type { ApprovalNeed, Category } from '../../../plan/people/category';
import type { CommentRule, TimeoutOutcome } from '../../../plan/people/decision-policy';
import type { GateKind } from '../../../plan/people/gate';
import type { BallotPaper } from '../../../plan/people/vote';
import type { EscalationTarget } from '../../../plan/steps/action';
import type { EarlierAdvice, EscalationRound } from '../../../plan/steps/escalation';
import type { RenderedApproval } from '../../../plan/steps/step-activity';
import type { TakenDecision } from './gate-record';

/** A gate as its step or an escalation defines it. */
export interface GateSpec {
  kind: GateKind;
  show: readonly string[];
  channel?: string;
  approvers?: string[];
  notBy?: string[];
  /** Neither the owner nor who started the run decides: they are in `notBy`. */
  fourEyes?: true;
  choices?: string[];
  quorum?: number;
  /** The answer is a vote. */
  ballot?: BallotPaper;
  timeoutMs?: number;
  remindMs?: number;
  onTimeout?: TimeoutOutcome;
  comment?: CommentRule;
  identity?: 'proven';
  escalation?: { reason: string; chain: readonly EscalationTarget[]; before?: EarlierAdvice[]; rounds?: EscalationRound[] };
  /** The known question: of an approval after a command, of a stage that asks. */
  asked?: RenderedApproval;
  /** The run's own question, as for a budget gate, and whose budget it is. */
  statement?: string;
  account?: string;
  raise?: BudgetOrder;
  /** An approval of exactly what the step, or a tool that its agent calls, is about to do. */
  category?: Category;
  need?: ApprovalNeed;
  /** What an earlier try of the step was allowed. */
  given?: TakenDecision;
  /** The answer holds only for this try, and for nothing after the step. */
  holdsHere?: true;
  /** Whether the answer is no longer needed; the code that changes this wakes the gate. */
  over?: () => boolean;
  /** Called once the gate has closed, in the execution in which it closes. */
  taken?: () => void;
}
