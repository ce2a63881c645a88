import type { EscalationSeverity, ReviewVerdict, SubTask } from '../../../plan/brief/hand-off';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { CoordinatorWord, FlagKind } from '../state';

/** Events of a coordinator, and what is due in its states. */

export type CoordinatorEvent =
  /** Nobody is asked in this state: it is in the journal, and the next turn may begin. */
  | { kind: 'go' }
  /** The hand-off of the role that was asked, with what a detector has found in its reply. */
  | (GoodReply & { flag?: Flag })
  /** The role asks for a person instead. */
  | { kind: 'escalated'; severity: EscalationSeverity; reason: string }
  /** Its reply, and the repair of it, cannot be read. */
  | { kind: 'malformed'; reason: string }
  /** It has not replied. */
  | { kind: 'failed'; reason: string }
  /** A person has answered, with one of the choices that were due. */
  | { kind: 'answered'; choice: OperatorChoice; comment?: ArtifactRef };

export type GoodReply =
  | { kind: 'planned'; plan: ArtifactRef; subtasks: readonly PlannedTask[] }
  | { kind: 'executed'; execution: ArtifactRef }
  | { kind: 'reviewed'; verdict: ReviewVerdict; report: ArtifactRef };

/** A sub-task without its texts, as the reader has checked it. */
export type PlannedTask = Pick<SubTask, 'id' | 'title' | 'order' | 'depends_on' | 'role'>;

export interface Flag {
  kind: FlagKind;
  reason: string;
}

/**
 * `confirm`: begin. `retry`: the role is asked again, with the comment. `pass`: a reply that was held is taken as it is; a sub-task without
 * one counts as passed. `skip`: the sub-task is left out, and with it those that depend on it. `stop`: the brief ends here. The other two
 * are verdicts, where judges disagree.
 */
export type OperatorChoice = 'confirm' | 'retry' | 'pass' | 'skip' | 'stop' | 'needs_retry' | 'fail';

/** What a state waits for. `subtask` is the id of the current one; absent: it is about the whole plan. */
export type Due =
  | { kind: 'go' }
  /** An agent is asked, with the texts behind these references. */
  | { kind: 'call'; role: string; number: number; expects: 'plan' | 'execution' | 'review'; subtask?: string; given: CallGiven }
  /** Phase 0. In `auto` it is only recorded, by `go`. */
  | { kind: 'confirm'; number: number; subtask?: string; choices: readonly OperatorChoice[]; isAsked: boolean }
  | { kind: 'operator'; number: number; subtask?: string; choices: readonly OperatorChoice[] }
  | { kind: 'over' };

/** Each is absent if there is none. A judge never gets another judge's report. */
export interface CallGiven {
  /** The planner's earlier plan. */
  plan?: ArtifactRef;
  /** What is judged; for an executor, its work so far. */
  execution?: ArtifactRef;
  /** For an executor: the reports that want something changed. */
  revisions?: ArtifactRef[];
  comment?: ArtifactRef;
}

/** What happened, for the journal. */
export type CoordinatorNote =
  | { kind: 'entered'; state: CoordinatorWord; phase: Phase; subtask?: string; reason?: string }
  | { kind: 'skipped'; subtask: string; reason: string };

/** 0: confirm, 1: execute, 2: blocked, 3: destructive action, 4: report. */
export type Phase = 0 | 1 | 2 | 3 | 4;
