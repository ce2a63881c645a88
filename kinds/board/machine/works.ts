import type { MemberStatus, WorkEnd } from '../../../plan/board/member';
import { SHORT_CHARACTERS } from '../../../plan/board/message';
import type { ClaimSource } from '../../../plan/board/task';
import type { WorkOrder } from '../../../plan/board/work-order';
import { defined, unlessEmpty } from '../../../plan/defined';
import { shortened } from '../../../plan/text/shortened';
import type { MemberState, TaskState } from '../state';
import { type Handling, note } from './handling';
import { goesOnLater } from './members';
import { read, returnUnread } from './messages';
import { settleAllOf } from './requests';
import { giveBack, openTasksOf } from './tasks';

/** The life of a member: WORK begins and ends, and the member idles, shuts down or fails. */

export function beginWork(h: Handling, member: MemberState, order: Omit<WorkOrder, 'number'>): void {
  const { state } = h;
  state.works += 1;
  member.works += 1;
  member.work = { number: state.works, ...order };
  delete member.answers;
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
  note(h, { event: 'claimed', task: task.number, by: member.name, source });
}

/** One reminder for tasks that it has left open, then they go back. */
export function endWork(h: Handling, member: MemberState, end: WorkEnd): void {
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
  if (member.isLeaving) {
    leave(h, member, 'shutdown');
    return;
  }
  const open = openTasksOf(h.state, member.name);
  const [first] = open;
  if (end === 'claimed' && first) {
    const last = open.reduce((a, b) => ((b.claimedAtMs ?? 0) >= (a.claimedAtMs ?? 0) ? b : a));
    beginWork(h, member, { begins: 'task', task: last.number });
    return;
  }
  if (first && !member.isReminded) {
    member.isReminded = true;
    beginWork(h, member, { begins: 'reminder', task: first.number });
    return;
  }
  delete member.isReminded;
  for (const task of open) giveBack(h, task, member.name, 'not_completed');
  enter(h, member, 'idle');
  note(h, { event: 'idle', member: member.name });
}

/**
 * It has shut down or failed. What it had goes back: its tasks to the board, what it has not read to who has sent it. A member that goes on
 * in a later run keeps what it has not read, and its tasks lose no attempt.
 */
export function leave(h: Handling, member: MemberState, status: 'shutdown' | 'failed', reason?: string): void {
  const { name } = member;
  const why = shortened(reason ?? 'its owner has shut down', SHORT_CHARACTERS);
  enter(h, member, status);
  const goesOn = status === 'shutdown' && goesOnLater(h.state);
  for (const task of openTasksOf(h.state, name)) {
    if (goesOn) task.attempt -= 1;
    giveBack(h, task, name, why);
  }
  for (const key of ['work', 'answers', 'isReminded', 'isLeaving'] as const) delete member[key];
  if (status === 'failed') {
    member.reason = why;
    note(h, { event: 'failed', member: name, reason: why });
  } else note(h, { event: 'shutdown', member: name, ...defined({ reason }) });
  settleAllOf(h, member);
  if (goesOn) return;
  delete member.prompt;
  returnUnread(h, member);
}

export function enter(h: Handling, member: MemberState, status: MemberStatus): void {
  member.status = status;
  member.sinceMs = h.atMs;
}
