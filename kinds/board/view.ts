import { type BoardState, completedOf, forNobody, type MemberState, occupantOf, type TaskState } from '../../plan/board/board-state';
import type { MemberStatus } from '../../plan/board/member';
import { LEAD } from '../../plan/board/message';
import type { TaskNumber, TaskStatus } from '../../plan/board/task';
import { defined, unlessEmpty } from '../../plan/defined';
import type { Letter } from '../../plan/people/letter';
import type { StepState } from '../../plan/run/step-state';
import type { KindView, ShownWait } from '../../plan/steps/kind-view';

/** A board and its team as a run shows them. */
export interface BoardView {
  team: string;
  /** How it has ended. Absent: it has not. */
  over?: 'done' | 'unfinished' | 'stopped';
  isDraining?: true;
  /** Open tasks, and the last of the finished ones; by number. At most 500: tasks in progress come first, then those that wait. */
  tasks: BoardTaskView[];
  /** Tasks that are not shown. Absent: none. */
  more?: number;
  /** How many tasks were completed, those that are no longer shown among them. */
  completed: number;
  total: number;
  members: MemberView[];
  /** Members whose plans wait for a person. */
  plansOf?: string[];
  /** The last messages to people that nobody has answered. */
  toPeople?: Letter[];
}

export interface BoardTaskView {
  number: TaskNumber;
  name?: string;
  subject: string;
  status: TaskStatus;
  owner?: string;
  requiredRole?: string;
  /** Unfinished tasks that it waits for. */
  blockedBy: TaskNumber[];
  attempt: number;
  /** Why it came back. */
  returned?: string;
  /** When it was claimed or ended, ISO 8601. */
  since?: string;
  /** Nobody in the team may claim it. */
  isForNobody?: true;
  /** The member that has given it back, and still works in its worktree. */
  occupant?: string;
}

export interface MemberView {
  name: string;
  role?: string;
  agent: string;
  isLead?: true;
  status: MemberStatus;
  /** ISO 8601. */
  since: string;
  /** When it will shut down if nothing comes, or begin again after a failure, ISO 8601. */
  until?: string;
  /** Messages that it has not read. */
  unread: number;
  works: number;
  reason?: string;
}

export const BOARD_VIEW: KindView<'board', BoardView> = {
  key: 'board',
  facts: (board) => [progressWords(board), teamWords(board)],
  waits: (board) => [...plans(board), ...letters(board), ...idleMembers(board), ...failedMembers(board), ...waitingTasks(board)],
  items: (board) =>
    board.tasks.map((task) => ({
      id: `#${task.number}`,
      words: wordsOf(task, board),
      state: board.over !== undefined && task.status === 'in_progress' ? 'skipped' : STATE_OF_STATUS[task.status],
      isNews: task.attempt > 0,
      ...defined({ by: task.owner, since: task.since }),
    })),
};

const STATE_OF_STATUS: Readonly<Record<TaskStatus, StepState>> = {
  pending: 'pending',
  in_progress: 'running',
  landing: 'running',
  completed: 'done',
  held: 'waiting',
  dropped: 'skipped',
};

function wordsOf(task: BoardTaskView, board: BoardView): string {
  const { subject, status, returned, attempt } = task;
  const parts: Readonly<Record<TaskStatus, string[]>> = {
    pending: [board.over === undefined ? waitingWords(task, board) : 'left open', cameBack(returned)],
    in_progress: [board.over === undefined ? '' : 'left open', attempt > 1 ? `attempt ${attempt}` : '', cameBack(returned)],
    landing: ['in the merge queue', attempt > 1 ? `attempt ${attempt}` : ''],
    completed: [attempt > 1 ? `done, ${attempt} attempts` : 'done'],
    held: ['a person decides', cameBack(returned)],
    dropped: ['left out'],
  };
  return [subject, ...parts[status]].filter((part) => part !== '').join(', ');
}

/** What must happen before a pending task is claimed. */
function waitingWords({ blockedBy, requiredRole, isForNobody, occupant }: BoardTaskView, { tasks, isDraining }: BoardView): string {
  const dropped = new Set(tasks.flatMap(({ number, status }) => (status === 'dropped' ? [number] : [])));
  const blockers = blockedBy.map((number) => `#${number}${dropped.has(number) ? ' (left out)' : ''}`).join(', ');
  const role = requiredRole === undefined ? '' : ` with the role ${requiredRole}`;
  const nobody = isForNobody ? `nobody here has the role ${requiredRole}` : '';
  if (blockers !== '') return [`waits for ${blockers}`, nobody].filter((part) => part !== '').join(', ');
  if (isDraining) return 'the team claims nothing any more';
  if (occupant !== undefined) return `waits until ${occupant}, who is in its worktree, ends its turn`;
  return nobody || `waits for a free member${role}`;
}

function plans({ plansOf = [] }: BoardView): ShownWait[] {
  return plansOf.map((name) => ({ text: `${name} waits until a person answers its plan` }));
}

function letters({ toPeople = [] }: BoardView): ShownWait[] {
  return toPeople.map(({ from, to, content, at }) => ({ text: `${from} to ${to === LEAD ? 'the lead' : to}: ${content}`, since: at }));
}

/** What would wake each member that is idle, and until when that may happen. */
function idleMembers({ members }: BoardView): ShownWait[] {
  return members.flatMap(({ name, status, isLead, since, until }) => {
    if (status !== 'idle') return [];
    const task = isLead ? '' : ' or a task that it may claim';
    const end = until === undefined ? '' : ', else it shuts down';
    return [{ text: `${name} is idle: a message${task} wakes it${end}`, since, ...defined({ until }) }];
  });
}

/** Only those whose model service was away start again by themselves. */
function failedMembers({ members }: BoardView): ShownWait[] {
  return members.flatMap(({ name, status, reason, since, until }) => {
    if (status !== 'failed') return [];
    const next = until === undefined ? 'does nothing until it is started again' : 'begins again by itself';
    return [{ text: `${name} has failed, and ${next}${reason === undefined ? '' : `: ${reason}`}`, since, ...defined({ until }) }];
  });
}

/** The first of the tasks that nobody has, with what must happen before somebody claims them. */
function waitingTasks(board: BoardView): ShownWait[] {
  const waiting = board.tasks.filter(({ status }) => status === 'pending');
  const shown = waiting.slice(0, TASKS_IN_WHY).map((task) => ({ text: `#${task.number} ${wordsOf(task, board)}` }));
  const left = waiting.length - shown.length + (board.more ?? 0);
  return left > 0 ? [...shown, { text: `${left} more tasks wait` }] : shown;
}

const TASKS_IN_WHY = 20;

function cameBack(returned: string | undefined): string {
  return returned === undefined ? '' : `came back: ${returned}`;
}

/** `2 of 3 tasks completed`. */
function progressWords({ completed, total }: BoardView): string {
  return `${completed} of ${total} ${total === 1 ? 'task' : 'tasks'} completed`;
}

/** `alice works, bob idle`. */
function teamWords({ members }: BoardView): string {
  const words = { working: 'works', idle: 'idle', shutdown: 'shut down', failed: 'failed' } as const;
  return members.length === 0 ? 'nobody in the team' : members.map(({ name, status }) => `${name} ${words[status]}`).join(', ');
}

export function boardView(state: BoardState): BoardView {
  const { team, over, isDraining, tasks, members, next } = state;
  const shown = shownTasks(tasks);
  const nobodys = forNobody(state);
  return {
    team,
    ...defined({ over, isDraining }),
    tasks: shown.map((task) => taskView(task, nobodys, members)),
    completed: completedOf(state),
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

function taskView(task: TaskState, nobodys: ReadonlySet<TaskNumber>, members: readonly MemberState[]): BoardTaskView {
  const { number, name, subject, status, owner, requiredRole, blockedBy, attempt, returned, claimedAtMs, endedAtMs } = task;
  return {
    ...{ number, subject, status, blockedBy: [...blockedBy], attempt },
    ...defined({ name, owner, requiredRole, returned: returned?.reason, since: iso(endedAtMs ?? claimedAtMs) }),
    ...defined({ isForNobody: nobodys.has(number) || undefined, occupant: occupantOf(members, task)?.name }),
  };
}

function memberView(member: MemberState, state: BoardState): MemberView {
  const { name, role, agent, isLead, status, sinceMs, inbox, works, reason, backMs } = member;
  const { limits, tasks } = state;
  const awaitsLanding = tasks.some((task) => task.status === 'landing' && task.owner === name);
  const shutsDown = status === 'idle' && !isLead && !awaitsLanding && limits.until !== 'stopped';
  const until = shutsDown ? sinceMs + limits.idleMs : status === 'failed' ? backMs : undefined;
  return {
    ...{ name, agent, status, since: new Date(sinceMs).toISOString(), unread: inbox.length, works },
    ...defined({ role, isLead, until: iso(until), reason }),
  };
}

export function iso(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
