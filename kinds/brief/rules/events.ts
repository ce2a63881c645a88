import type { EscalationSeverity, ReviewVerdict } from '../../../plan/brief/hand-off';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { Flag, OperatorChoice, PlannedTask } from './words';

/** Events of a coordinator, and what is due in its states. */

export type CoordinatorEvent =
  /** Nobody is asked in this state: it is in the journal, and the next turn may begin. */
  | { kind: 'go' }
  /** The hand-off of the role that was asked, with what a detector has found in its reply. */
  | (GoodReply & Called & { flag?: Flag })
  /** The role asks for a person instead. */
  | ({ kind: 'escalated'; severity: EscalationSeverity; reason: string; said?: ArtifactRef } & Called)
  /** Its reply, and the repair of it, cannot be read. */
  | ({ kind: 'malformed'; reason: string } & Called)
  /** It has not replied. */
  | ({ kind: 'failed'; reason: string } & Called)
  /** A person has answered, with one of the choices that were due. */
  | { kind: 'answered'; choice: OperatorChoice; comment?: ArtifactRef };

interface Called {
  /** For an execution or a review: the calls of tools of its sub-task so far, this one's too. */
  toolCalls?: number;
  /** The requests to agents that this reply has taken. @default 1 */
  requests?: number;
}

export type GoodReply =
  | { kind: 'planned'; plan: ArtifactRef; subtasks: readonly PlannedTask[] }
  | { kind: 'executed'; execution: ArtifactRef }
  | { kind: 'reviewed'; verdict: ReviewVerdict; report: ArtifactRef };

/** What a state waits for. `subtask` is the id of the current one; absent: it is about the whole plan. */
export type Due =
  | { kind: 'go' }
  /** An agent is asked, with the texts behind these references. */
  | {
      kind: 'call';
      role: string;
      number: number;
      expects: 'plan' | 'execution' | 'review';
      subtask?: string;
      toolCalls?: number;
      given: CallGiven;
    }
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
