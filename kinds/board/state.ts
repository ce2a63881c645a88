import type { TaskOutcome } from '../../plan/board/asked-task';
import type { MemberStatus } from '../../plan/board/member';
import type { BoardMessage, MessageType } from '../../plan/board/message';
import type { BoardAnswer, BoardResult } from '../../plan/board/request';
import type { ClaimSource, ReturnedTask, TaskNumber, TaskStatus } from '../../plan/board/task';
import type { WorkOrder } from '../../plan/board/work-order';
import type { BudgetSpec, BudgetWord } from '../../plan/budgets/budget';
import { defined, unlessEmpty } from '../../plan/defined';
import type { AskedBy } from '../../plan/queue/ticket';
import type { ArtifactRef, Sha256 } from '../../plan/run/artifact';
import type { Keeps, KeptCommit } from '../../plan/steps/keeps';
import type { Json } from '../../plan/text/json';
import type { BoardTaskView, BoardView, MemberView } from './view';

/**
 * A board with its team, as plain JSON: it is kept with the step, over executions. Texts are in the store.
 *
 * Invariants: 1. a task in progress has one owner, who is a member that works; 2. a task that waits, is held or dropped has none; 3. a task
 * is completed once; 4. a claimable task does not wait while a member that may claim it is idle; 5. of two members that are idle the one
 * that has been so for longer is served first; 6. it has a bounded size, whatever comes: only open tasks and people's decisions add to it;
 * 7. a WORK that begins with a task which has a worktree works there; 8. what waits for a task that lands waits until it has landed.
 */
export interface BoardState {
  team: string;
  limits: BoardLimits;
  /** By number. Only the last `DONE_KEPT` completed ones are here: a smaller number than `next` that is missing is a completed task. */
  tasks: TaskState[];
  /** The next task's number. */
  next: TaskNumber;
  /** Names of completed tasks that have left `tasks`: the last `NAMES_KEPT`. */
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
  /** It was reminded of its open task once. */
  isReminded?: true;
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

/** A task that was tried too often, or a plan that has no lead to answer it. */
export type PersonQuestion = { kind: 'task'; task: TaskNumber } | { kind: 'plan'; requestId: string; message: BoardMessage };

export interface RefusedMessage {
  from: string;
  to: string;
  type: MessageType;
  at: string;
  reason: string;
}

export const REFUSED_KEPT = 100;
/** Messages to people. */
export const TO_PEOPLE_KEPT = 100;

/** A task on its way into the merge queue: which of its offers that is, and which landing slot has taken it. */
export interface Landing {
  task: TaskNumber;
  offers: number;
  commit: string;
  slot?: number;
}

export interface BoardKept {
  board?: BoardState;
  /** The conversation of each member so far, by its heads. */
  contexts?: Record<string, ArtifactRef[]>;
  /** What people have allowed for budgets of tasks. */
  permitted?: Pick<BudgetSpec, BudgetWord>;
  /** Completed tasks that are to land, in this order. */
  landings?: Landing[];
  /** What was left in worktrees of tasks that have not ended, by the task's number. */
  worktrees?: Record<TaskNumber, KeptCommit>;
  /** Completed tasks that have left the board, as the output shows them, until they fill a page. */
  left?: Json[];
  /** The last page of those before them, which names the one before it, and how many there are. */
  pages?: { last: ArtifactRef; count: number };
  /** The last messages that reached nobody. */
  refused?: RefusedMessage[];
  /** The last messages to people: to a lead who is one, and refusals to shut down. */
  toPeople?: BoardMessage[];
  /** What people are asked, one question after the other, and how many there were. */
  asks?: { open: PersonQuestion[]; asked: number };
  /** Where runs may have asked for tasks, and what has come of tasks, until the ledgers of those who asked have it. */
  askers?: { look: AskedBy[]; tell: { asked: AskedBy; outcome: TaskOutcome }[] };
}

export const BOARD_KEEPS: Keeps<BoardKept, BoardView> = {
  shown: ({ board, toPeople = [] }, _step, isAtWork) =>
    board && {
      ...boardView(isAtWork ? board : interrupted(board)),
      ...defined({ toPeople: unlessEmpty(toPeople.slice(-SHOWN_TO_PEOPLE).map(shownLetter)) }),
    },
  commits: ({ worktrees = {} }) => Object.values(worktrees),
};

/** Messages to people in the view of a step; the query `boards` has the others. */
const SHOWN_TO_PEOPLE = 10;

function shownLetter({ from, to, content, at }: BoardMessage) {
  return { from, to, content, at };
}

/** The step has ended without the team, by a timeout or a cancellation: nobody works any more, whatever was in progress. */
function interrupted(state: BoardState): BoardState {
  if (state.over !== undefined) return state;
  const members = state.members.map((member) => (member.status === 'failed' ? member : { ...member, status: 'shutdown' as const }));
  return { ...state, over: 'stopped', members };
}

function boardView(state: BoardState): BoardView {
  const { team, over, isDraining, tasks, members, next } = state;
  // Who has shut down because nothing came starts again for a task that nobody else may claim.
  const able = members.filter(({ status, isDismissed }) => status !== 'failed' && !(status === 'shutdown' && isDismissed));
  const shown = shownTasks(tasks);
  const roles = new Set(able.flatMap(({ role }) => role ?? []));
  return {
    team,
    ...defined({ over, isDraining }),
    tasks: shown.map((task) => taskView(task, roles)),
    completed: next - 1 - tasks.filter(({ status }) => status !== 'completed').length,
    total: next - 1,
    ...defined({ more: tasks.length - shown.length || undefined }),
    members: members.map((member) => memberView(member, state)),
    ...defined({ plansOf: unlessEmpty(plansForPeople(state)) }),
  };
}

/** The server takes answers to queries up to a size. Tasks that somebody has at hand come first, and what is done last. */
function shownTasks(tasks: readonly TaskState[]): TaskState[] {
  if (tasks.length <= MOST_SHOWN) return [...tasks];
  const first = [...tasks].sort((a, b) => RANK[a.status] - RANK[b.status] || a.number - b.number);
  return first.slice(0, MOST_SHOWN).sort((a, b) => a.number - b.number);
}

const MOST_SHOWN = 500;
const RANK: Readonly<Record<TaskStatus, number>> = { in_progress: 0, landing: 1, held: 2, pending: 3, dropped: 4, completed: 5 };

/** A plan that no lead answers has no end by itself. */
function plansForPeople({ requests }: BoardState): string[] {
  return requests.flatMap(({ kind, status, dueMs, from }) => (kind === 'plan' && status === 'pending' && dueMs === undefined ? from : []));
}

function taskView(task: TaskState, roles: ReadonlySet<string>): BoardTaskView {
  const { number, name, subject, status, owner, requiredRole, blockedBy, attempt, returned, claimedAtMs, endedAtMs } = task;
  const isForNobody = (status === 'pending' && requiredRole !== undefined && !roles.has(requiredRole)) || undefined;
  return {
    ...{ number, subject, status, blockedBy: [...blockedBy], attempt },
    ...defined({ name, owner, requiredRole, returned: returned?.reason, since: iso(endedAtMs ?? claimedAtMs), isForNobody }),
  };
}

function memberView(member: MemberState, state: BoardState): MemberView {
  const { name, role, agent, isLead, status, sinceMs, inbox, works, reason } = member;
  const { limits, isDraining, tasks } = state;
  const awaitsLanding = tasks.some((task) => task.status === 'landing' && task.owner === name);
  const shutsDown = status === 'idle' && !isLead && !awaitsLanding && (limits.until !== 'stopped' || isDraining === true);
  return {
    ...{ name, agent, status, since: new Date(sinceMs).toISOString(), unread: inbox.length, works },
    ...defined({ role, isLead, until: shutsDown ? iso(sinceMs + limits.idleMs) : undefined, reason }),
  };
}

export function iso(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
