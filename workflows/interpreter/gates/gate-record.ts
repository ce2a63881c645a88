import type { BudgetOrder } from '../../../plan/budgets/budget';
import type { Category } from '../../../plan/people/category';
import type { CommentRule } from '../../../plan/people/decision-policy';
import type { Decision, GateKind } from '../../../plan/people/gate';
import type { BallotPaper } from '../../../plan/people/vote';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { EarlierAdvice } from '../../../plan/steps/escalation';

/** A gate that is open, in its step's record: what was asked, and who may answer it how. */
export interface GateRecord {
  kind: GateKind;
  question: string;
  channel?: string;
  approvers?: string[];
  /** Who may not decide: by four eyes, or because they asked for it. */
  notBy?: string[];
  choices?: string[];
  quorum?: number;
  /** The answer is a vote. */
  ballot?: BallotPaper;
  /** Who has said the same, where more than one must; one of each place. */
  approvals?: Decision[];
  comment?: CommentRule;
  identity?: 'proven';
  /** What people should know of it before they answer. */
  note?: string;
  /** Of an escalation: what those before in the chain have said. */
  said?: EarlierAdvice[];
  category?: Category;
  /** It asks for one call of an agent's tool, which is a question of its own. */
  ofCall?: true;
  /** Places that approvers have handed over at this gate: who has it now, by approver. */
  handed?: Record<string, string>;
  /** The channel that was notified. */
  announced?: string;
  form?: ArtifactRef;
  /** When the next reminder is due. */
  remindAtMs?: number;
  openedAtMs: number;
  deadlineMs?: number;
  shown: { step: string; artifact: ArtifactRef }[];
  shownSha256: string;
  /** The answer, until the step takes it up. */
  decision?: Decision;
  /** Of an action of a category: the digest of exactly what is to be done. */
  contentSha256?: string;
  /** The answer holds for this try alone, and for nothing behind the step. */
  holdsHere?: true;
  /** Of a budget gate: the path of the step whose budget is reached, `` for the run's. */
  account?: string;
  /** Of a budget gate: what would let the work continue. */
  raise?: BudgetOrder;
}

/** An answer that a step has taken up. */
export interface TakenDecision extends Decision {
  /** Of an action of a category: the digest of exactly what was allowed or refused. */
  contentSha256?: string;
  /** The approval that it is, where an earlier try of the step was given it. */
  approvalId?: string;
}

/** What a gate answers with where its time ran out and somebody further up is to be asked. */
export const ESCALATED = 'escalate';

/** A question that a step's people have answered, and whose answer holds for what comes behind it. */
export interface PassedGate {
  kind: GateKind;
  choice: string;
  /** Everybody who said so, the last one last. Empty where nobody answered in time. */
  voices: GateVote[];
}

/** Whose place somebody has filled at a gate that is closed, where it is one of several of a question. */
export interface FilledPlace {
  /** The path of the gate's step. */
  gate: string;
  by: string;
  /** The approver whose place it is; who answers in their own place is both. */
  of: string;
  /** The question is one call of an agent's tool. */
  ofCall?: true;
}

export type GateVote = Pick<Decision, 'by' | 'inPlaceOf' | 'at' | 'identity'>;

/** What is remembered of a gate that is closed, for those who answer it late. */
export interface ClosedGate {
  step: string;
  round: number;
  by?: string;
  choice?: string;
  why: 'decided' | 'superseded' | 'timed-out' | 'ended';
}

export const CLOSED_GATES_KEPT = 256;
