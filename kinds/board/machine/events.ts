import type { TaskOutcome } from '../../../plan/board/asked-task';
import type { BoardLimits, TaskState, WorkUse } from '../../../plan/board/board-state';
import type { WorkEnd } from '../../../plan/board/member';
import type { BoardMessage } from '../../../plan/board/message';
import type { BoardNote } from '../../../plan/board/note';
import type { MemberReport } from '../../../plan/board/report';
import type { BoardAnswer, BoardRequest } from '../../../plan/board/request';
import type { NewTask, ReturnedTask, TaskNumber } from '../../../plan/board/task';
import type { WorkOrder } from '../../../plan/board/work-order';
import type { BudgetShort } from '../../../plan/budgets/budget';
import type { AskedBy } from '../../../plan/queue/ticket';
import type { ArtifactRef } from '../../../plan/run/artifact';

/** Events of a board, and what its machine decides. Moments are in milliseconds, by the clock of the run. */

export type BoardEvent =
  /**
   * The board opens, with the tasks and members of the file. Refused as a whole if one of them is wrong, and then it is over. `again`: a
   * later try; open tasks begin anew, done ones stay done.
   */
  | { kind: 'opened'; members: readonly NewMember[]; tasks: readonly NewTask[] }
  | { kind: 'again' }
  /** A later run of a team goes on with the board, with the members, limits and tasks that the file has now. Refused as a whole. */
  | { kind: 'taken-up'; limits: BoardLimits; members: readonly NewMember[]; tasks: readonly NewTask[] }
  /** A call of a member's tool that waits for its answer. `id` is the call's: the same request is decided once. */
  /** `commit`: what the worktree of its WORK is at, if that has changed. */
  | { kind: 'asked'; member: string; id: string; request: BoardRequest; commit?: string }
  /**
   * The member's WORK is over. `short`: at the end `spent`, what it would have needed to go on. `report`: what a program has answered, and
   * `commit` what its worktree is at then, if that has changed.
   */
  | { kind: 'work-ended'; member: string; end: WorkEnd; short?: BudgetShort; report?: MemberReport; commit?: string }
  /** Its model has failed for good. `isPlace`: its worktree could not be had, and the member is not to blame. */
  | { kind: 'work-failed'; member: string; code: string; reason: string; isPlace?: true }
  /** The offered commit of a task is in the target. */
  | { kind: 'landed'; task: TaskNumber; commit: string }
  /** It is not. `onto`: the target's commit. `isNoFault`: no member could mend it, such as a target that is red by itself. */
  | ({ kind: 'came-back'; task: TaskNumber } & Omit<ReturnedTask, 'by'> & { onto?: string; isNoFault?: true })
  /** What the member's WORK has used so far. */
  | { kind: 'used'; member: string; used: WorkUse }
  /** A message, by a member's tool or a person. To everybody but its sender, if `to` is absent. */
  | { kind: 'sent'; message: Omit<BoardMessage, 'to'> & { to?: string } }
  /** The member's turn with these messages is recorded. */
  | { kind: 'read'; member: string; messages: readonly string[] }
  /** Its idle time may be over; the machine looks at the moment. */
  | { kind: 'idle-over'; member: string }
  /** The moment at which it begins again has come. */
  | { kind: 'comes-back'; member: string }
  /** A request to shut down, or a plan, may have waited too long. */
  | { kind: 'request-overdue'; requestId: string }
  /**
   * A task from a person or a pipeline. Another one with the same `key` is the same task. `asked`: where a run that waits for it has asked;
   * it is one task, however often it asks.
   */
  | { kind: 'task'; task: NewTask; by: string; key?: string; asked?: AskedBy }
  /** The run that has asked waits no longer. */
  | { kind: 'withdrawn'; asked: AskedBy }
  /** A person spawns a member, or starts one again. */
  | { kind: 'spawn'; member: SpawnedMember; by: string }
  /** A person's decision on a task that was tried too often. */
  | { kind: 'decided'; task: TaskNumber; choice: 'again' | 'drop' }
  /** No new claims; the members are asked to shut down. */
  | { kind: 'drain'; by: string };

export interface NewMember {
  name: string;
  agent: string;
  role?: string;
  /** It spawns and shuts down others, gets messages, and claims nothing by itself. */
  isLead?: true;
  /** Its first instructions, in the store. Absent: it begins with the board. */
  prompt?: ArtifactRef;
}

/** Without `agent` it is one that starts again, or the team has one agent alone. */
export type SpawnedMember = Omit<NewMember, 'isLead' | 'agent'> & Partial<Pick<NewMember, 'agent'>>;

/** What follows from one event: the answer to who asked, and what the engine has to do, in this order. */
export interface BoardOutcome {
  /** Absent for a request whose answer comes later (`answered`), and for events that nobody waits for. */
  answer?: BoardAnswer;
  decisions: BoardDecision[];
}

export type BoardDecision =
  /** The member begins a WORK, which is in its state. */
  | { kind: 'work'; member: string; order: WorkOrder }
  /** An earlier request has its answer: who asks again gets it. */
  | { kind: 'answered'; member: string; id: string; answer: BoardAnswer }
  /** The member's WORK has to be cut off: it has not answered a request to shut down in time. */
  | { kind: 'end-work'; member: string }
  /** The task's commit is offered to the merge queue. */
  | { kind: 'land'; task: TaskNumber }
  /** A person decides about the task: again, or drop. */
  | { kind: 'ask-person'; task: TaskNumber }
  /** There is no lead to answer the plan: a person does, by a message of the type `plan_approval_response`. */
  | { kind: 'ask-plan'; requestId: string; message: BoardMessage }
  /** A completed task leaves the board: the last ones are enough for it. */
  | { kind: 'leaves'; task: TaskState }
  /** A message to the lead, who is a person, or to a person by name. */
  | { kind: 'to-person'; message: BoardMessage }
  /** What has come of a task that a run has asked for. */
  | { kind: 'report'; asked: AskedBy; outcome: TaskOutcome }
  | { kind: 'note'; note: BoardNote }
  /** Nobody works any more, and nothing can begin. */
  | { kind: 'over' };
