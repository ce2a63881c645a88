import { claimsItself, fits } from '../../kinds/board/machine/members';
import { claimable, openTasksOf } from '../../kinds/board/machine/tasks';
import {
  ANSWERS_KEPT,
  type BoardState,
  DONE_KEPT,
  NAMES_KEPT,
  REQUESTS_KEPT,
  SENT_KEPT,
  type TaskState,
} from '../../plan/board/board-state';
import { MOST_INBOX_CHARACTERS, MOST_MESSAGES } from '../../plan/board/message';

/** The invariants of `kinds/board/state.ts`. Throws with all that are broken. */
export function expectInvariants(state: BoardState): void {
  const broken = [...ownership(state), ...serving(state), ...sizes(state)];
  if (broken.length > 0) throw new Error(broken.join('; '));
}

/** Another execution gets this one. */
export function copied(state: BoardState): BoardState {
  const copy: BoardState = JSON.parse(JSON.stringify(state));
  expect(copy).toStrictEqual(state);
  return copy;
}

function ownership({ tasks, members, over }: BoardState): string[] {
  const broken: string[] = [];
  const byNumber = new Map(tasks.map((task) => [task.number, task]));
  for (const { number, status, owner, blockedBy } of tasks) {
    const at = members.find(({ name }) => name === owner);
    if (status === 'in_progress' && at?.status !== 'working') broken.push(`#${number} is in progress, and ${owner} does not work`);
    const isOwned = status === 'in_progress' || status === 'landing' || status === 'completed';
    if (!isOwned && owner !== undefined) broken.push(`#${number} is ${status} and ${owner}'s`);
    if (status === 'in_progress' && blockedBy.length > 0) broken.push(`#${number} began before #${blockedBy}`);
    for (const one of blockedBy) {
      const before = byNumber.get(one);
      if (!before || before.status === 'completed') broken.push(`#${number} waits for #${one}, which is done`);
    }
  }
  const places = members.flatMap(({ work }) => work?.worktree ?? []);
  if (new Set(places).size < places.length) broken.push(`two members work in one worktree: ${places}`);
  for (const { name, status, work } of members) {
    if ((status === 'working') !== (work !== undefined)) broken.push(`${name} is ${status}`);
    const begun = byNumber.get(work?.task ?? 0);
    if (begun && work?.worktree !== (begun.worktree === undefined ? undefined : begun.number))
      broken.push(`${name} works on #${begun.number} in the worktree of #${work?.worktree}`);
  }
  if (over && tasks.some(({ status }) => status === 'landing')) broken.push('it is over, and a task lands');
  if (over && members.some(({ status }) => status === 'working' || status === 'idle')) broken.push('it is over, and members are there');
  return broken;
}

function serving(state: BoardState): string[] {
  if (state.over) return [];
  const broken: string[] = [];
  const ready = state.isDraining ? [] : claimable(state);
  for (const member of state.members) {
    if (member.status !== 'idle') continue;
    if (state.isDraining) broken.push(`${member.name} is idle, and the team drains`);
    if (member.inbox.length > 0) broken.push(`${member.name} is idle with messages`);
    if (openTasksOf(state, member.name).length > 0) broken.push(`${member.name} is idle with a task`);
    const waiting = claimsItself(member) ? ready.find((task) => fits(member, task)) : undefined;
    if (waiting) broken.push(`#${waiting.number} waits while ${member.name} is idle`);
  }
  return broken;
}

function sizes({ tasks, members, requests, sent, names, limits }: BoardState): string[] {
  const broken: string[] = [];
  const most = (what: string, size: number, limit: number): void => {
    if (size > limit) broken.push(`${size} ${what}`);
  };
  const awaited = new Set(tasks.flatMap(({ blockedBy }) => blockedBy));
  const isOver = ({ number, status, isWithdrawn }: TaskState) =>
    status === 'completed' || (status === 'dropped' && isWithdrawn && !awaited.has(number));
  most('tasks that are over', tasks.filter(isOver).length, DONE_KEPT);
  most('names', names.length, NAMES_KEPT);
  most('ids', sent.length, SENT_KEPT);
  most('requests', requests.filter(({ status }) => status !== 'pending').length, REQUESTS_KEPT);
  most('pending requests', requests.filter(({ status }) => status === 'pending').length, 2 * members.length);
  most('members', members.length, limits.members);
  for (const { name, inbox, answers = [] } of members) {
    const letters = inbox.filter(({ type }) => type === 'message' || type === 'broadcast');
    most(`messages of ${name}`, letters.length, MOST_MESSAGES);
    most(
      `characters of ${name}`,
      letters.reduce((sum, { characters }) => sum + characters, 0),
      MOST_INBOX_CHARACTERS,
    );
    most(`answers of ${name}`, answers.length, ANSWERS_KEPT);
  }
  if (new Set(tasks.map(({ number }) => number)).size < tasks.length) broken.push('two tasks have one number');
  return broken;
}
