import type { MemberStatus } from '../../plan/board/member';
import type { BoardMessage } from '../../plan/board/message';
import type { BoardResult } from '../../plan/board/request';
import type { ClaimSource, TaskNumber, TaskStatus } from '../../plan/board/task';
import type { WorkOrder } from '../../plan/board/work-order';
import type { ArtifactRef } from '../../plan/run/artifact';

/**
 * A board with its team, as plain JSON: it is kept with the step, over executions. Texts are in the store.
 *
 * Invariants: 1. a task in progress has one owner, who is a member that works or is about to be reminded; 2. nobody owns any other task;
 * 3. a task is completed once; 4. a claimable task does not wait while a member that may claim it is idle; 5. of two members that are idle
 * the one that has been so for longer is served first.
 */
export interface BoardState {
  team: string;
  limits: BoardLimits;
  /** By number. Of finished ones the last `DONE_KEPT`; the numbers of all others that were completed are in `done`. */
  tasks: TaskState[];
  /** The next task's number. */
  next: TaskNumber;
  /** Finished tasks that left `tasks`, as ranges of numbers `[first, last]`; names that still lead to one. */
  done: [TaskNumber, TaskNumber][];
  members: MemberState[];
  /** The number of WORKs so far: the turn of the next one's part is one more. */
  works: number;
  requests: RequestState[];
  /** Nothing is claimed any more. */
  isDraining?: true;
  over?: 'done' | 'unfinished' | 'stopped';
}

export interface BoardLimits {
  /** Slots for members. */
  members: number;
  /** How long a member stays idle. */
  idleMs: number;
  /** How long a request to shut down, or a plan, waits for its answer. */
  shutdownMs: number;
  /** How often a task may be tried. */
  attempts: number;
  until: 'idle' | 'all_done' | 'stopped';
  /** Agents that may be spawned. */
  spawns: string[];
  /** A role that no member has is taken all the same: the team goes on. */
  takesAnyRole?: true;
}

export interface TaskState {
  number: TaskNumber;
  name?: string;
  subject: string;
  description?: ArtifactRef;
  requiredRole?: string;
  priority?: number;
  /** Unfinished tasks that it waits for. Completing one takes it out. */
  blockedBy: TaskNumber[];
  status: TaskStatus;
  owner?: string;
  claimedAtMs?: number;
  claimSource?: ClaimSource;
  /** How often it was claimed since a person let it be tried again. */
  attempt: number;
  by: string;
  createdAtMs: number;
  endedAtMs?: number;
  result?: BoardResult;
  /** Why it came back the last time. */
  returned?: { by: string; reason: string };
}

export interface MemberState {
  name: string;
  role?: string;
  agent: string;
  isLead?: true;
  /** The branch whose coroutine it is, from 1. */
  slot: number;
  status: MemberStatus;
  /** Since when it has had this status. */
  sinceMs: number;
  /** While it works. */
  work?: WorkOrder;
  /** It was reminded of its open task once. */
  isReminded?: true;
  inbox: BoardMessage[];
  /** Its spawning's prompt, until a WORK has begun with it. */
  prompt?: ArtifactRef;
  /** How many WORKs it has had. */
  works: number;
  /** Why it failed. */
  reason?: string;
}

/** A handshake. */
export interface RequestState {
  id: string;
  kind: 'shutdown' | 'plan';
  from: string;
  to: string;
  status: 'pending' | 'approved' | 'rejected' | 'expired';
  dueMs: number;
  /** For a plan: the call that waits for the answer. */
  call?: string;
}

export const DONE_KEPT = 100;
