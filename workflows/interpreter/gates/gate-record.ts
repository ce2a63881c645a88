import type { Decision, Gate, GateKind } from '../../../plan/people/gate';

/** An open gate in its step's record. */
export interface GateRecord extends Gate {
  openedAtMs: number;
  deadlineMs?: number;
  /** When the next reminder is due. */
  remindAtMs?: number;
  /** The channel that was notified. */
  announced?: string;
  /** People who have given the same answer, if more than one must; one for each place. */
  approvals?: Decision[];
  /** Delegated places at this gate: who has each now, by approver. */
  handed?: Record<string, string>;
  /** It asks for one call of an agent's tool, which is a question of its own. */
  ofCall?: true;
  /** For an action of a category: the digest of exactly what is going to be done. */
  contentSha256?: string;
  /** The answer holds only for this try, and for nothing after the step. */
  holdsHere?: true;
  /** For a budget gate: the path of the step whose budget is reached, `` for the run's. */
  account?: string;
  /** The answer, until the step takes it up. */
  decision?: Decision;
}

/** An answer that a step has taken up. */
export interface TakenDecision extends Decision {
  /** For an action of a category: the digest of exactly what was allowed or refused. */
  contentSha256?: string;
  /** The id of the approval, if an earlier try of the step was given it. */
  approvalId?: string;
}

/** A gate's result if its time ran out and somebody further up must be asked. */
export const ESCALATED = 'escalate';

/** An answered question of a step whose answer holds for later steps. */
export interface PassedGate {
  kind: GateKind;
  choice: string;
  /** Everybody who gave this answer, the last one last. Empty if nobody answered in time. */
  voices: GateVote[];
}

/** A place that somebody has filled at a closed gate of a question with several gates. */
export interface FilledPlace {
  /** The path of the gate's step. */
  gate: string;
  by: string;
  /** The approver whose place it is; for people who answer in their own place both are the same. */
  of: string;
  /** The question is one call of an agent's tool. */
  ofCall?: true;
}

export type GateVote = Pick<Decision, 'by' | 'inPlaceOf' | 'at' | 'identity'>;

/** What is remembered of a closed gate, for late answers. */
export interface ClosedGate {
  step: string;
  round: number;
  by?: string;
  choice?: string;
  why: 'decided' | 'superseded' | 'timed-out' | 'ended';
}

export const CLOSED_GATES_KEPT = 256;
