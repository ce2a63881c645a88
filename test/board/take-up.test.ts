import type { BoardLimits } from '../../plan/board/board-state';
import { member, type Opened, opened, PROMPT, task } from './board';

/** A later run of a team takes up the board that the run before has left. */

const ends = (id: string) => ({ ...PROMPT, sha256: id.repeat(64) });

function team(...[members, tasks, limits]: Parameters<typeof opened>): Opened {
  return opened(members, tasks, { until: 'stopped', takesAnyRole: true, ...limits });
}

/** All agree when they are asked; members that work end their work. */
function stopped(it: Opened): void {
  it.tell({ kind: 'drain', by: 'fran' });
  for (const { id, to } of [...it.state.requests]) it.respond(to, id, true);
  for (const { name, status } of [...it.state.members]) if (status === 'working') it.end(name);
}

function takenUp(
  it: Opened,
  members = it.state.members.map(({ name }) => member(name)),
  more: { tasks?: ReturnType<typeof task>[]; limits?: Partial<BoardLimits> } = {},
) {
  return it.tell({ kind: 'taken-up', limits: { ...it.state.limits, ...more.limits }, members, tasks: more.tasks ?? [] });
}

test('tasks keep their numbers, names and attempts, and what was in progress is claimed again', () => {
  const it = team([member('alice')], [task('a'), task('b'), task('c')]);
  it.complete('alice', 1);
  it.end('alice');
  it.fail('alice', 'b');
  it.end('alice');
  expect(it.task('b')).toMatchObject({ status: 'in_progress', attempt: 2 });
  stopped(it);
  expect(it.state.over).toBe('stopped');
  expect(it.task('b')).toMatchObject({ status: 'pending', attempt: 1, returned: { by: 'alice' } });
  expect(takenUp(it)).toEqual(['alice task 2']);
  expect(it.state.over).toBeUndefined();
  expect(it.task('b')).toMatchObject({ number: 2, attempt: 2 });
  expect(it.task(1)).toMatchObject({ status: 'completed' });
  it.tell({ kind: 'task', task: task('d'), by: 'fran' });
  expect(it.task('d').number).toBe(4);
});

test('a run that was cut off in the middle of work is taken up as one that was stopped', () => {
  const it = team([member('alice')], [task('a')], { attempts: 1 });
  expect(it.owners()).toEqual(['a @alice']);
  expect(takenUp(it)).toEqual(['alice task 1']);
  expect(it.task('a')).toMatchObject({ status: 'in_progress', attempt: 1 });
});

test('who is in the team is as the file says: new ones come, others leave, and their tasks are for those who stay', () => {
  const it = team([member('alice'), member('bob', { role: 'coder' })], [task('a'), task('b')]);
  stopped(it);
  const begun = takenUp(it, [member('bob', { role: 'tester', agent: 'other' }), member('cleo', { prompt: PROMPT })]);
  expect(begun).toEqual(['cleo spawn', 'bob task 1']);
  expect(it.statuses()).toEqual({ bob: 'working', cleo: 'working' });
  expect(it.member('bob')).toMatchObject({ role: 'tester', agent: 'other', slot: 1 });
  expect(it.notes()).toContainEqual({ event: 'shutdown', member: 'alice', reason: 'it is no longer in the team' });
});

test('slots of members that have left are free again, whatever the file said before', () => {
  const it = team([member('alice'), member('bob'), member('cleo')], [], { members: 3 });
  for (const names of [['d', 'e', 'f'], ['g'], ['h', 'alice']]) {
    stopped(it);
    takenUp(
      it,
      names.map((name) => member(name)),
      { limits: { members: names.length } },
    );
    expect(it.state.members.map(({ name, slot }) => [name, slot])).toEqual(names.map((name, at) => [name, at + 1]));
  }
});

test('members that the lead has spawned stay, if their agent is still known and there is room; who was dismissed does not begin', () => {
  const lead = member('lead', { isLead: true });
  const it = team([lead], [], { spawns: ['coder', 'painter'] });
  it.spawn('lead', 'cleo', { agent: 'painter' });
  it.spawn('lead', 'bob');
  it.spawn('lead', 'alice');
  it.askToEnd('bob');
  it.respond('bob', 'end-bob', true);
  it.end('bob');
  stopped(it);
  takenUp(it, [lead], { limits: { spawns: ['coder'] } });
  expect(it.statuses()).toEqual({ lead: 'working', alice: 'idle', bob: 'shutdown' });
  stopped(it);
  takenUp(it, [lead], { limits: { members: 2 } });
  expect(it.statuses()).toEqual({ lead: 'working', alice: 'idle' });
});

test('a member that has failed, or that the lead has dismissed, begins again if the file has it', () => {
  const it = team([member('lead', { isLead: true }), member('alice'), member('bob')], [task('a')]);
  it.crash('alice');
  it.askToEnd('bob');
  it.respond('bob', 'end-bob', true);
  it.end('bob');
  expect(it.statuses()).toMatchObject({ alice: 'failed', bob: 'shutdown' });
  stopped(it);
  takenUp(it, [member('lead', { isLead: true }), member('alice'), member('bob')]);
  expect(it.statuses()).toEqual({ lead: 'working', alice: 'working', bob: 'idle' });
  expect(it.member('alice').reason).toBeUndefined();
});

test('what a member has not read waits for it; what one has not read that left comes back', () => {
  const it = team([member('alice', { prompt: PROMPT }), member('bob', { prompt: PROMPT })], []);
  it.send('alice', 'bob', 'later');
  it.send('bob', 'alice', 'sooner');
  stopped(it);
  expect(it.inbox('bob')).toContainEqual('alice: later');
  takenUp(it, [member('bob')]);
  expect(it.member('bob').work).toMatchObject({ begins: 'inbox' });
  expect(it.inbox('bob')).toEqual(['alice: later', expect.stringContaining('your message to alice was not delivered')]);
});

test('a prompt that was followed is not given again; an edited one is, and one that was cut off', () => {
  const it = team([member('alice', { prompt: PROMPT }), member('bob', { prompt: PROMPT })], []);
  it.end('alice');
  it.tell({ kind: 'drain', by: 'fran' });
  for (const { id } of [...it.state.requests]) it.wait(300_000).tell({ kind: 'request-overdue', requestId: id });
  expect(it.state.over).toBe('done');
  expect(takenUp(it, [member('alice', { prompt: PROMPT }), member('bob', { prompt: PROMPT })])).toEqual(['bob spawn']);
  stopped(it);
  expect(takenUp(it, [member('alice', { prompt: ends('b') }), member('bob', { prompt: PROMPT })])).toEqual(['alice spawn']);
});

test('a task of the file that the board has, or had, by its name is not added again', () => {
  const it = team([member('alice')], [task('a'), task('b')]);
  it.complete('alice', 'a');
  stopped(it);
  takenUp(it, undefined, { tasks: [task('a'), task('b'), task('c', { blockedBy: ['a', 'b'] })] });
  expect(it.state.tasks.map(({ number, name }) => [number, name])).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ]);
  expect(it.task('c').blockedBy).toEqual([2]);
});

test.each<[string, object, object, string]>([
  ['no worktrees', { worktrees: 'all' }, { worktrees: undefined }, 'the key `worktree`'],
  ['nowhere to land', { worktrees: 'all', lands: true }, { lands: undefined }, 'the key `merge`'],
])('an edited file with %s takes up no board that needs it, and changes nothing', (_, before, after, says) => {
  const it = team([member('alice')], [task('a')], before);
  it.tell({ kind: 'asked', member: 'alice', id: 'c', request: { kind: 'complete_task', task: 1 }, commit: 'c' });
  if ('lands' in before) expect(it.task(1)).toMatchObject({ status: 'landing' });
  else it.tell({ kind: 'task', task: task('b'), by: 'fran' });
  const state = structuredClone(it.state);
  takenUp(it, [member('bob')], { limits: after });
  expect(it.answer).toMatchObject({ refused: true, said: { refused: 'unfit', hint: expect.stringContaining(says) } });
  expect(it.state).toEqual(state);
  takenUp(it, [member('bob')]);
  expect(it.answer).toBeUndefined();
});

test('a person is asked again about a task that is held; a task that was left out stays so', () => {
  const it = team([member('alice')], [task('a'), task('b')], { attempts: 1 });
  it.fail('alice', 'a');
  it.end('alice');
  it.fail('alice', 'b');
  it.tell({ kind: 'decided', task: 1, choice: 'drop' });
  it.end('alice');
  stopped(it);
  expect(takenUp(it)).toEqual(['person 2']);
  expect([it.task('a').status, it.task('b').status]).toEqual(['dropped', 'held']);
});

test('a list that the board refuses changes nothing', () => {
  const it = team([member('alice')], [task('a')]);
  stopped(it);
  const before = JSON.stringify(it.state);
  takenUp(it, [member('alice'), member('bob')], { tasks: [task('x', { blockedBy: ['nowhere'] })], limits: { attempts: 1 } });
  expect(it.answer?.said).toMatchObject({ refused: 'unknown_blocker' });
  takenUp(it, [member('alice'), member('alice')]);
  expect(it.answer?.said).toMatchObject({ refused: 'name_taken' });
  expect(JSON.stringify(it.state)).toBe(before);
});

test('a plan, and a request to shut down, end with their run', () => {
  const it = team([member('lead', { isLead: true }), member('alice')], [task('a')]);
  const plan = { id: 'p', type: 'plan_approval', from: 'alice', to: 'lead', content: 'first', characters: 5, at: '' } as const;
  it.tell({ kind: 'asked', member: 'alice', id: 'c', request: { kind: 'submit_plan', message: plan } });
  it.askToEnd('alice');
  takenUp(it, [member('lead', { isLead: true }), member('alice')]);
  expect(it.state.requests).toEqual([]);
  expect([it.inbox('lead'), it.inbox('alice')]).toEqual([[], []]);
  expect(it.owners()).toEqual(['a @alice']);
});
