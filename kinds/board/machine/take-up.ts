import type { BoardState, MemberState, TaskState } from '../../../plan/board/board-state';
import { BOARD } from '../../../plan/board/message';
import type { BoardAnswer } from '../../../plan/board/request';
import type { NewTask } from '../../../plan/board/task';
import { defined } from '../../../plan/defined';
import type { BoardEvent, NewMember } from './events';
import { type Handling, note } from './handling';
import { offerAgain } from './landing';
import { absence, isBoundedByRequests } from './members';
import { comesBack } from './messages';
import { addTasks } from './new-tasks';
import { refuse } from './refusals';
import { added, whyNoTeam } from './spawns';
import { findTask, interrupt } from './tasks';
import { begin } from './works';

/**
 * A later run of a team takes up the board that the run before has left. Tasks keep their numbers, names and attempts, and what was in
 * progress goes back. Who is in the team, and the limits, are as the file now says; members keep their unread messages. Refused as a whole,
 * with nothing changed, if the new list has a task that cannot be.
 */
export function takeUp(h: Handling, { limits, members, tasks }: Extract<BoardEvent, { kind: 'taken-up' }>): BoardAnswer | undefined {
  const { state } = h;
  const before = state.limits;
  state.limits = limits;
  const wrong = whyNoTeam(state, members) ?? whyNoPlace(state) ?? addUnknown(h, tasks);
  if (wrong) {
    state.limits = before;
    return wrong;
  }
  for (const key of ['over', 'isDraining', 'wereAsked'] as const) delete state[key];
  state.requests = [];
  for (const task of state.tasks) {
    if (task.status === 'in_progress') interrupt(task);
    if (task.status === 'landing') offerAgain(h, task);
    if (task.status === 'held') h.decisions.push({ kind: 'ask-person', task: task.number });
  }
  const gone = newTeam(h, members);
  for (const member of state.members) if (!(member.isSpawned && member.isDismissed)) beginAgain(h, member);
  for (const member of gone) leaveForGood(h, member);
  return undefined;
}

/** What has a worktree is done there or not at all, also when the file was edited. */
function whyNoPlace({ tasks, limits }: BoardState): BoardAnswer | undefined {
  const open = tasks.filter(({ status }) => status !== 'completed' && status !== 'dropped');
  const placeless = limits.worktrees ? undefined : open.find(({ worktree }) => worktree !== undefined);
  if (placeless) return refuse('unfit', 'it has a worktree: the file needs the key `worktree`', taskCalled(placeless));
  const stranded = limits.lands ? undefined : open.find(({ status, isReady }) => status === 'landing' || isReady);
  return stranded && refuse('unfit', 'it is on its way into a branch: the file needs the key `merge`', taskCalled(stranded));
}

function taskCalled({ number, subject }: TaskState) {
  return { task: number, subject };
}

/** Tasks of a team's file have names. A name that the board knows, or has known, is no new task. */
function addUnknown(h: Handling, tasks: readonly NewTask[]): BoardAnswer | undefined {
  const unknown = tasks.filter(({ name }) => name === undefined || findTask(h.state, name) === undefined);
  const list = addTasks(h, unknown, BOARD);
  return Array.isArray(list) ? undefined : list;
}

/** Those of the file in its order, then those that were spawned, as far as there is room for them. Returns the others. */
function newTeam(h: Handling, planned: readonly NewMember[]): MemberState[] {
  const { state } = h;
  const before = [...state.members];
  const agents = new Set([...state.limits.spawns, ...planned.map(({ agent }) => agent)]);
  const ofFile = planned.map((one) => {
    const known = before.find(({ name }) => name === one.name);
    return known ? asPlanned(known, one) : added(h, one);
  });
  const spawned = before.filter((member) => member.isSpawned && !ofFile.includes(member) && agents.has(member.agent));
  const inOrder = [...spawned.filter((one) => !one.isDismissed), ...spawned.filter((one) => one.isDismissed)];
  const staying = [...ofFile, ...inOrder.slice(0, state.limits.members - ofFile.length)];
  // No slot has begun yet, so that the numbers may begin anew.
  for (const [at, member] of staying.entries()) member.slot = at + 1;
  state.members = staying;
  return before.filter((member) => !staying.includes(member));
}

/** Instructions that it has followed already are not given again. */
function asPlanned(member: MemberState, { agent, role, isLead, prompt }: NewMember): MemberState {
  for (const key of ['role', 'isLead', 'prompt', 'isSpawned', 'isDismissed'] as const) delete member[key];
  const isNew = prompt !== undefined && prompt.sha256 !== member.followed;
  return Object.assign(member, { agent }, defined({ role, isLead, prompt: isNew ? prompt : undefined }));
}

function beginAgain(h: Handling, member: MemberState): void {
  for (const key of ['work', 'answers', 'isLeaving', 'reason', 'failures', 'backMs'] as const) delete member[key];
  member.inbox = member.inbox.filter(({ type }) => !isBoundedByRequests(type));
  note(h, { event: 'spawned', member: member.name, reason: 'the team goes on' });
  begin(h, member);
}

/** What it has not read goes back to who has sent it. */
function leaveForGood(h: Handling, { name, inbox }: MemberState): void {
  note(h, { event: 'shutdown', member: name, reason: 'it is no longer in the team' });
  const reason = absence(h.state, name) ?? '';
  for (const message of inbox) if (!isBoundedByRequests(message.type)) comesBack(h, message, reason);
}
