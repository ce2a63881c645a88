import type { BudgetSpec } from '../budgets/budget';
import type { AskedBy } from '../queue/ticket';
import type { ArtifactRef, Sha256 } from '../run/artifact';
import type { MemberStatus } from './member';
import type { BoardMessage } from './message';
import type { BoardAnswer, BoardResult } from './request';
import type { ClaimSource, ReturnedTask, TaskNumber, TaskStatus } from './task';
import type { WorkOrder } from './work-order';

/**
 * A board with its team, as plain JSON: it is kept with the step, over executions. Texts are in the store.
 *
 * Invariants: 1. a task in progress has one owner, who is a member that works; 2. a task that waits, is held or dropped has none; 3. a task
 * is completed once; 4. a claimable task does not wait while a member that may claim it is idle; 5. of two members that are idle the one
 * that has been so for longer is served first; 6. it has a bounded size, whatever comes: only open tasks and people's decisions add to it;
 * 7. a WORK that begins with a task which has a worktree works there, and nobody else does meanwhile; 8. what waits for a task that lands
 * waits until it has landed.
 */
export interface BoardState {
  team: string;
  limits: BoardLimits;
  /**
   * By number. Of those that were completed, or withdrawn while nothing waits for them, only the last `DONE_KEPT` are here: a smaller
   * number than `next` that is missing is such a task.
   */
  tasks: TaskState[];
  /** The next task's number. */
  next: TaskNumber;
  /** How many withdrawn tasks have left `tasks`. */
  forgone?: number;
  /** Names of tasks that have left `tasks`: the last `NAMES_KEPT`. */
  names: [string, TaskNumber][];
  /** Keys that tasks were sent with, and their numbers: the last `KEYS_KEPT`. */
  keys?: [string, TaskNumber][];
  members: MemberState[];
  /** The number of WORKs so far: the turn of the next one's part is one more. */
  works: number;
  /** All that are pending, and the last of the others. */
  requests: RequestState[];
  /** Ids of the last messages that were sent. */
  sent: string[];
  /** How many messages the board itself has written. */
  written: number;
  /** Everything is done, and the members were asked to shut down. */
  wereAsked?: true;
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
  /** What all attempts at a task may use. */
  taskBudget?: BudgetSpec;
  until: 'idle' | 'all_done' | 'stopped';
  /** Agents that may be spawned. */
  spawns: string[];
  /** Each task has a worktree of its own, unless it says otherwise; or those that ask for one. Absent: none can. */
  worktrees?: 'all' | 'asked';
  /** A completed task with a worktree is completed when its commit has landed. */
  lands?: true;
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
  /** How often no attempt was counted, because the model service of its owner was away. */
  spared?: number;
  by: string;
  /** A run waits for it, and has asked there. */
  asked?: AskedBy;
  /** The run that has asked waits no longer: nobody needs to begin it. */
  isWithdrawn?: true;
  createdAtMs: number;
  endedAtMs?: number;
  result?: BoardResult;
  /** Why it came back the last time. */
  returned?: ReturnedTask;
  /** What its worktree is called. Absent: it has none. */
  worktree?: string;
  /** Its owner has yet to begin with it: it was claimed by hand, or came back from the merge queue. */
  isUnbegun?: true;
  /** The commit that was offered last, and how many were; once it has landed, the commit in the target. */
  commit?: string;
  offers?: number;
  /** The commit of the target that its worktree is brought up to date with. */
  onto?: string;
  /** It is held because the target itself is red: its commit is offered again. */
  isReady?: true;
  /** What the WORKs that began with it have used. */
  used?: TaskUse;
  /** How much of that was before a person gave it a fresh budget. */
  usedBefore?: TaskUse;
}

/** What a WORK has used so far. If some of the cost is unknown, the known part counts, or the most that it can have been. */
export interface WorkUse {
  tokens: number;
  costMicroUsd: number;
  isCostUnknown?: true;
}

export interface TaskUse extends WorkUse {
  /** How long members have worked. */
  ms: number;
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
  /** What its WORK has used, as far as its task is charged with it. */
  charged?: TaskUse;
  inbox: BoardMessage[];
  /** Its spawning's prompt, until a WORK with it has ended. */
  prompt?: ArtifactRef;
  /** The digest of the last prompt with which it has ended a WORK. */
  followed?: Sha256;
  /** The file does not have it: it was spawned. */
  isSpawned?: true;
  /** How many WORKs it has had. */
  works: number;
  /** What it was answered in this WORK, by the id of the call: the same call is decided once. */
  answers?: [string, BoardAnswer][];
  /** It has agreed to shut down, and does when its WORK ends. */
  isLeaving?: true;
  /** It shut down because the lead or a person asked it to: no task starts it again. */
  isDismissed?: true;
  /** It has answered as a program does: it has no tools, and agrees to shut down by itself. */
  isProgram?: true;
  /** Why it failed. */
  reason?: string;
  /** How often its model service was away, in a row. */
  failures?: number;
  /** It has failed, and begins again by itself at this moment. */
  backMs?: number;
}

/** Who has given the task back, and may still change its worktree until its WORK ends. */
export function occupantOf(members: readonly MemberState[], { number, status, worktree }: TaskState): MemberState | undefined {
  if (status !== 'pending' || worktree === undefined) return undefined;
  return members.find(({ work }) => work?.worktree === number);
}

/**
 * Pending tasks for a role that nobody has. Members count who come back by themselves: those whose model service was away, and those that
 * have shut down because nothing came.
 */
export function forNobody({ tasks, members }: BoardState): ReadonlySet<TaskNumber> {
  const able = members.filter(
    ({ status, isDismissed, backMs }) => (status !== 'failed' || backMs) && !(status === 'shutdown' && isDismissed),
  );
  const roles = new Set(able.map(({ role }) => role));
  const without = tasks.filter(({ status, requiredRole: role }) => status === 'pending' && role !== undefined && !roles.has(role));
  return new Set(without.map(({ number }) => number));
}

/** A handshake. */
export interface RequestState {
  id: string;
  kind: 'shutdown' | 'plan';
  from: string;
  to: string;
  status: 'pending' | 'approved' | 'rejected' | 'expired';
  /** Absent: it waits for a person. */
  dueMs?: number;
  /** For a plan: the call that waits for the answer. */
  call?: string;
}

export const DONE_KEPT = 100;
export const NAMES_KEPT = 1000;
export const KEYS_KEPT = 1000;
/** Requests that are no longer pending. */
export const REQUESTS_KEPT = 100;
export const SENT_KEPT = 1000;
/** Answers of one member in one WORK. */
export const ANSWERS_KEPT = 100;
export const MOST_OPEN_TASKS = 10_000;

export function completedOf({ next, forgone = 0, tasks }: BoardState): number {
  return next - 1 - forgone - tasks.filter(({ status }) => status !== 'completed').length;
}
