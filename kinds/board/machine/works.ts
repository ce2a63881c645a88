import type { BoardState, MemberState, TaskState } from '../../../plan/board/board-state';
import type { MemberStatus, WorkEnd } from '../../../plan/board/member';
import { SHORT_CHARACTERS } from '../../../plan/board/message';
import type { ClaimSource } from '../../../plan/board/task';
import type { WorkOrder } from '../../../plan/board/work-order';
import type { BudgetShort } from '../../../plan/budgets/budget';
import { defined, unlessEmpty } from '../../../plan/defined';
import { shortened } from '../../../plan/text/shortened';
import { type Handling, note } from './handling';
import { goesOnLater } from './members';
import { read, returnUnread } from './messages';
import { settleAllOf } from './requests';
import { lackOf, whySpent } from './task-budget';
import { giveBack, goBack, hold, openTasksOf } from './tasks';

/** The life of a member: WORK begins and ends, and the member idles, shuts down or fails. */

export function beginWork(h: Handling, member: MemberState, order: Omit<WorkOrder, 'number'>): void {
  const { state } = h;
  state.works += 1;
  member.works += 1;
  const task = state.tasks.find(({ number }) => number === order.task);
  if (task) delete task.isUnbegun;
  member.work = { number: state.works, ...order, ...defined({ worktree: task && placeOf(task) }) };
  delete member.answers;
  delete member.charged;
  enter(h, member, 'working');
  note(h, { event: 'working', member: member.name, work: state.works, begins: order.begins });
  h.decisions.push({ kind: 'work', member: member.name, order: { ...member.work } });
}

/** A spawned member begins with its prompt. Without one a lead begins with the board, and others with what is there for them. */
export function begin(h: Handling, member: MemberState): void {
  if (member.prompt) beginWork(h, member, { begins: 'spawn', ...defined({ messages: unread(member) }) });
  else if (member.isLead) beginWork(h, member, { begins: 'board', ...defined({ messages: unread(member) }) });
  else enter(h, member, 'idle');
}

export function beginWithInbox(h: Handling, member: MemberState): void {
  beginWork(h, member, { begins: 'inbox', ...defined({ messages: unread(member) }) });
}

function unread({ inbox }: MemberState): string[] | undefined {
  return unlessEmpty(inbox.map(({ id }) => id));
}

/** A task that is claimable has one owner from here on. */
export function claim(h: Handling, member: MemberState, task: TaskState, source: ClaimSource): void {
  Object.assign(task, { status: 'in_progress', owner: member.name, claimedAtMs: h.atMs, claimSource: source });
  task.attempt += 1;
  note(h, { event: 'claimed', task: task.number, by: member.name, source, ...defined({ worktree: task.worktree }) });
}

function placeOf({ number, worktree }: TaskState): WorkOrder['worktree'] {
  return worktree === undefined ? undefined : number;
}

interface Working {
  work?: { task?: WorkOrder['task'] | undefined; worktree?: WorkOrder['worktree'] | undefined };
}

/** A WORK has one place: what is to be done elsewhere begins with the next. */
export function isElsewhere({ work }: Working, task: TaskState): boolean {
  return work?.worktree !== placeOf(task);
}

/** What the member's WORK is not about: a task with a worktree or a budget of its own has a WORK of its own. */
export function isApart({ limits }: BoardState, member: Working, task: TaskState): boolean {
  return isElsewhere(member, task) || (limits.taskBudget !== undefined && member.work?.task !== task.number);
}

/** A task that its owner has yet to begin with: in its worktree, with what has come for the owner. */
export function beginUnbegun(h: Handling, member: MemberState): boolean {
  const next = openTasksOf(h.state, member.name).find(({ isUnbegun }) => isUnbegun);
  if (next) beginWork(h, member, { begins: 'task', task: next.number, ...defined({ messages: unread(member) }) });
  return next !== undefined;
}

/**
 * A member that ends its WORK with tasks left open is reminded of them once. The next time they go back to the board. A task whose budget
 * is used up waits for a person.
 */
export function endWork(h: Handling, member: MemberState, end: WorkEnd, short?: BudgetShort): void {
  const begun = member.work;
  if (member.status !== 'working' || !begun) return;
  note(h, { event: 'work-ended', member: member.name, end });
  // Its first turn is recorded.
  read(member, begun.messages ?? []);
  if (begun.begins === 'spawn' && member.prompt) {
    member.followed = member.prompt.sha256;
    delete member.prompt;
  }
  delete member.work;
  delete member.failures;
  if (member.isLeaving) {
    leave(h, member, 'shutdown');
    return;
  }
  for (const task of openTasksOf(h.state, member.name)) {
    const spent = whySpent(h.state, task, task.number === begun.task ? lackOf(member, short) : undefined);
    if (spent === undefined) continue;
    goBack(h, task, member.name, spent);
    hold(h, task);
  }
  for (const task of openTasksOf(h.state, member.name)) {
    // One that came back from the merge queue meanwhile begins anew.
    if (!begun.reminds?.includes(task.number) || task.isUnbegun) continue;
    giveBack(h, task, member.name, 'not_completed: its owner has ended its work and left it open');
  }
  goOn(h, member);
}

/** One reminder for each task that it has left open: in its place, and of nothing that is to be done elsewhere. */
function remind(h: Handling, member: MemberState): boolean {
  const open = openTasksOf(h.state, member.name);
  const [first] = open;
  if (!first) return false;
  const work = { task: first.number, worktree: placeOf(first) };
  const reminds = open.filter((task) => !isApart(h.state, { work }, task)).map(({ number }) => number);
  beginWork(h, member, { begins: 'reminder', task: first.number, reminds });
  return true;
}

function goOn(h: Handling, member: MemberState): void {
  if (beginUnbegun(h, member) || remind(h, member)) return;
  enter(h, member, 'idle');
  note(h, { event: 'idle', member: member.name });
}

/** The worktree of its WORK cannot be had: the task goes back, never to be done elsewhere, and the member goes on with others. */
export function losePlace(h: Handling, member: MemberState, reason: string): void {
  const lost = member.work?.worktree;
  delete member.work;
  for (const task of openTasksOf(h.state, member.name)) if (task.number === lost) giveBack(h, task, member.name, reason);
  if (member.isLeaving) leave(h, member, 'shutdown');
  else goOn(h, member);
}

/**
 * It has shut down or failed. What it had goes back: its tasks to the board, what it has not read to who has sent it. A member that goes on
 * in a later run, or comes back, keeps what it has not read, and its tasks lose no attempt; but for failures they are spared only so often.
 */
export function leave(h: Handling, member: MemberState, status: 'shutdown' | 'failed', reason?: string): void {
  const { name } = member;
  const why = shortened(reason ?? 'its owner has shut down', SHORT_CHARACTERS);
  enter(h, member, status);
  const comesBack = status === 'failed' && member.backMs !== undefined;
  const goesOn = comesBack || (status === 'shutdown' && goesOnLater(h.state));
  for (const task of openTasksOf(h.state, name)) {
    if (goesOn && !(comesBack && isSparedEnough(task))) task.attempt -= 1;
    giveBack(h, task, name, why);
  }
  for (const key of ['work', 'charged', 'answers', 'isLeaving'] as const) delete member[key];
  if (status === 'failed') {
    member.reason = why;
    note(h, { event: 'failed', member: name, reason: why });
  } else note(h, { event: 'shutdown', member: name, ...defined({ reason }) });
  settleAllOf(h, member);
  if (goesOn) return;
  delete member.prompt;
  returnUnread(h, member);
}

/** A task that itself brings a model service down is held in the end. */
function isSparedEnough(task: TaskState): boolean {
  const { spared = 0 } = task;
  if (spared >= MOST_SPARED) return true;
  task.spared = spared + 1;
  return false;
}

const MOST_SPARED = 6;

export function enter(h: Handling, member: MemberState, status: MemberStatus): void {
  member.status = status;
  member.sinceMs = h.atMs;
}
