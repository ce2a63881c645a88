import type { BoardEvent } from '../../kinds/board/machine/events';
import { handle, newBoard } from '../../kinds/board/machine/machine';
import { type BoardState, completedOf } from '../../plan/board/board-state';
import { MESSAGE_TYPES } from '../../plan/board/message';
import type { BoardRequest } from '../../plan/board/request';
import type { TaskRef } from '../../plan/board/task';
import { chance } from '../caid/chance';
import { member, PROMPT, task } from './board';
import { copied, expectInvariants } from './invariants';

/** Whatever comes, forged or out of order, it is taken without a throw, and all invariants hold after each event. */

const NAMES = ['lena', 'alice', 'bob', 'cleo', 'new', 'newer', 'newest', 'nobody', 'lead', '', '__proto__', 'fran'];
const ROLES = [undefined, undefined, 'coder', 'painter', 'nobody', 'constructor'];

function randomEvent(pick: (below: number) => number, nowMs: number): BoardEvent {
  const oneOf = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const ref = (): TaskRef => oneOf<TaskRef>([pick(40), pick(40), `t${pick(40)}`, `#${pick(40)}`, -1, 1.5, Number.NaN, '', 'toString']);
  const newTask = () =>
    task(oneOf([`t${pick(60)}`, `t${pick(60)}`, '', '7', 'constructor', 'x'.repeat(300)]), {
      blockedBy: Array.from({ length: pick(3) }, ref),
      ...(pick(4) === 0 ? { priority: oneOf([pick(5) - 2, Number.NaN]) } : {}),
      ...(pick(3) === 0 ? { requiredRole: oneOf(['coder', 'painter', 'nobody']) } : {}),
      ...(pick(3) === 0 ? { worktree: oneOf([true, false, `w${pick(9)}`, '', 'a/b']) } : {}),
    });
  const letter = () => ({
    ...{ id: `m${pick(300)}`, type: oneOf(MESSAGE_TYPES), from: oneOf(NAMES), content: 'x', at: new Date(nowMs).toISOString() },
    ...{ characters: pick(20) === 0 ? 300_000 : 1 },
    ...(pick(3) > 0 ? { requestId: `r${pick(12)}` } : {}),
    ...(pick(3) > 0 ? { approved: pick(2) === 0 } : {}),
  });
  const request = (): BoardRequest => {
    const role = oneOf(ROLES);
    const spawned = {
      name: oneOf(NAMES),
      agent: oneOf(['coder', 'root']),
      ...(role ? { role } : {}),
      ...(pick(2) ? { prompt: PROMPT } : {}),
    };
    return oneOf<BoardRequest>([
      { kind: 'claim_task', task: ref() },
      { kind: 'create_task', task: newTask() },
      { kind: 'complete_task', task: ref() },
      { kind: 'complete_task', task: pick(10) },
      { kind: 'fail_task', task: ref(), reason: 'no' },
      { kind: 'list_tasks' },
      { kind: 'spawn_teammate', ...spawned },
      { kind: 'submit_plan', message: { ...letter(), to: oneOf(NAMES) } },
    ]);
  };
  const name = oneOf(NAMES);
  return oneOf<BoardEvent>([
    { kind: 'asked', member: name, id: `c${pick(2000)}`, request: request() },
    { kind: 'asked', member: name, id: `c${pick(2000)}`, request: request(), commit: 'c' },
    { kind: 'asked', member: name, id: `c${pick(2000)}`, request: request() },
    { kind: 'work-ended', member: name, end: oneOf(['stopped', 'idle', 'cap', 'claimed']) },
    { kind: 'work-ended', member: name, end: 'stopped' },
    { kind: 'sent', message: { ...letter(), ...(pick(4) ? { to: oneOf(NAMES) } : {}) } },
    { kind: 'sent', message: { ...letter(), ...(pick(4) ? { to: oneOf(NAMES) } : {}) } },
    { kind: 'read', member: name, messages: [`m${pick(300)}`, `m${pick(300)}`] },
    { kind: 'idle-over', member: name },
    { kind: 'comes-back', member: name },
    { kind: 'request-overdue', requestId: `r${pick(12)}` },
    { kind: 'task', task: newTask(), by: 'fran', ...(pick(2) ? { key: `k${pick(20)}` } : { asked: asked(pick(9)) }) },
    { kind: 'withdrawn', asked: asked(pick(9)) },
    { kind: 'spawn', member: { name: oneOf(NAMES), agent: oneOf(['coder', 'nobody']) }, by: 'fran' },
    { kind: 'decided', task: pick(40), choice: pick(2) === 0 ? 'again' : 'drop' },
    { kind: 'landed', task: pick(40), commit: 'd' },
    { kind: 'came-back', task: pick(40), reason: 'red', onto: 'e', ...(pick(3) === 0 ? { isNoFault: true as const } : {}) },
    { kind: 'work-failed', member: name, code: 'worktree.unavailable', reason: 'y', isPlace: true },
    ...(pick(10) === 0 ? [{ kind: 'work-failed', member: name, code: oneOf(['x', 'model.api-error']), reason: 'y' } as const] : []),
    ...(pick(60) === 0 ? [{ kind: 'drain', by: 'fran' } as const, { kind: 'again' } as const] : []),
  ]);
}

const asked = (at: number) => ({ workflowId: 'cron', run: 'cron', name: `submission/${at}` });

/** What a member would do that behaves: ends its task, answers what it was asked, or goes on. */
function likelyEvent(state: BoardState, pick: (below: number) => number, at: number): BoardEvent {
  const working = state.members.filter(({ status }) => status === 'working');
  const name = working[pick(Math.max(1, working.length))]?.name;
  if (name === undefined) return { kind: 'again' };
  const own = state.tasks.find(({ owner, status }) => owner === name && status === 'in_progress');
  const lands = state.tasks.find(({ status }) => status === 'landing');
  if (lands && pick(3) === 0) return { kind: 'landed', task: lands.number, commit: 'd' };
  if (lands && pick(3) === 0) return { kind: 'came-back', task: lands.number, reason: 'red' };
  const commit = pick(3) === 0 ? {} : { commit: 'c' };
  if (own && pick(2) === 0)
    return { kind: 'asked', member: name, id: `do${at}`, request: { kind: 'complete_task', task: own.number }, ...commit };
  const asked = state.requests.find(({ to, status }) => to === name && status === 'pending');
  if (!asked || pick(2) === 0) return { kind: 'work-ended', member: name, end: 'stopped' };
  const type = asked.kind === 'plan' ? 'plan_approval_response' : 'shutdown_response';
  const answer = { requestId: asked.id, approved: pick(2) === 0, content: 'x', characters: 1, at: '' };
  return { kind: 'sent', message: { id: `answer${at}`, type, from: name, to: asked.from, ...answer } };
}

/** The next run of a team, whose file has been edited. */
function takenUp({ limits }: BoardState, pick: (below: number) => number): BoardEvent {
  const all = [member('lena', { isLead: true }), member('alice', { role: 'coder' }), member('bob'), member('cleo'), member('new')];
  const members = all.filter(() => pick(3) > 0);
  const tasks = Array.from({ length: pick(3) }, () => task(`t${pick(60)}`, pick(3) === 0 ? { blockedBy: [`t${pick(60)}`] } : {}));
  return { kind: 'taken-up', limits: { ...limits, members: 5 + pick(3), attempts: 1 + pick(3) }, members, tasks };
}

test.each(Array.from({ length: 24 }, (_, seed) => seed))('(order %i)', (seed) => {
  const pick = chance(seed);
  const until = (['idle', 'all_done', 'stopped'] as const)[pick(3)] ?? 'idle';
  const worktrees = ([undefined, 'all', 'asked'] as const)[pick(3)];
  const isolated = worktrees && { worktrees, ...(pick(3) > 0 ? { lands: true as const } : {}) };
  const limits = { ...isolated, members: 6, idleMs: 60_000, shutdownMs: 300_000, attempts: 1 + pick(3), spawns: ['coder'], until };
  let state = newBoard('crew', { ...limits, ...(until === 'stopped' ? { takesAnyRole: true as const } : {}) });
  const lead = pick(3) === 0 ? [] : [member('lena', { isLead: true })];
  const members = [...lead, member('alice', { role: 'coder' }), member('bob', { prompt: PROMPT }), member('cleo', { role: 'painter' })];
  let nowMs = 0;
  const completed = new Set<number>();
  const tell = (event: BoardEvent): void => {
    const { decisions } = handle(state, event, nowMs);
    try {
      expectInvariants(state);
    } catch (error) {
      throw new Error(`after ${JSON.stringify(event)}: ${error instanceof Error ? error.message : error}`);
    }
    for (const one of decisions) {
      if (one.kind !== 'note' || one.note.event !== 'completed') continue;
      expect(completed.has(one.note.task)).toBe(false);
      completed.add(one.note.task);
    }
    if (pick(20) === 0) state = copied(state);
  };
  tell({ kind: 'opened', members, tasks: Array.from({ length: 8 }, (_, i) => task(`t${i}`, i > 0 ? { blockedBy: [`t${pick(i)}`] } : {})) });
  for (let i = 0; i < 500; i++) {
    nowMs += pick(4) === 0 ? pick(40_000) : pick(500);
    if (until === 'stopped' && pick(40) === 0) tell(takenUp(state, pick));
    tell(pick(3) === 0 ? likelyEvent(state, pick, i) : randomEvent(pick, nowMs));
  }
  expect(completedOf(state)).toBe(completed.size);
});
