import { member, opened, PROMPT, task } from './board';

/** Claims by hand, what is refused and how, and how a task ends or goes back. */

const busy = (name: string) => member(name, { prompt: PROMPT });

test('of 100 claims of one task one wins, and the other 99 learn who has it', () => {
  const names = Array.from({ length: 100 }, (_, i) => `m${i}`);
  const it = opened(names.map(busy), [task('a')], { members: 100 });
  const answers = names.map((name) => it.claim(name, 1));
  expect(answers[0]).toMatchObject({ claimed: { id: 1, subject: 'a', owner: 'm0', status: 'in_progress' } });
  expect(answers.slice(1)).toEqual(Array(99).fill(expect.objectContaining({ refused: 'already_claimed', by: 'm0', task: 1 })));
  expect(it.task(1)).toMatchObject({ claimSource: 'manual', attempt: 1 });
});

test('the same call is decided once, and has the same answer', () => {
  const it = opened([busy('alice'), busy('bob')], [task('a')]);
  const ask = () => it.ask('alice', { kind: 'claim_task', task: 1 }, 'call-a');
  const first = ask();
  expect(first).toMatchObject({ claimed: { id: 1 } });
  expect(ask()).toEqual(first);
  const create = () => it.ask('alice', { kind: 'create_task', task: task('b') }, 'call-b');
  expect(create()).toEqual(create());
  expect(it.state.next).toBe(3);
});

test('a claim is refused as a result that says why', () => {
  const tasks = [task('a'), task('b', { blockedBy: ['a'] }), task('ui', { requiredRole: 'painter' })];
  const it = opened([busy('alice'), member('pat', { role: 'painter', prompt: PROMPT })], tasks);
  expect(it.claim('alice', 'b')).toMatchObject({ refused: 'blocked', by: [{ id: 1, status: 'pending' }] });
  expect(it.claim('alice', '#3')).toMatchObject({ refused: 'wrong_role', required_role: 'painter', hint: 'pat may claim it' });
  expect(it.claim('alice', 9)).toMatchObject({ refused: 'unknown_task' });
  expect(it.claim('alice', 'ua')).toMatchObject({ refused: 'unknown_task' });
  it.claim('alice', 1);
  expect(it.claim('alice', 1)).toMatchObject({ refused: 'already_claimed', by: 'alice' });
  expect(it.complete('pat', 1)).toMatchObject({ refused: 'not_yours', by: 'alice' });
  expect(it.fail('pat', 1)).toMatchObject({ refused: 'not_yours', by: 'alice' });
  expect(it.complete('pat', 2)).toMatchObject({ refused: 'not_yours', hint: expect.stringContaining('claim it first') });
  expect(it.complete('alice', 'a')).toEqual({ task: { id: 1, status: 'completed' } });
  expect(it.claim('pat', 1)).toMatchObject({ refused: 'done' });
  expect(it.complete('alice', 1)).toMatchObject({ refused: 'done' });
  expect(it.notes()).toContainEqual({ event: 'refused', by: 'alice', request: 'complete_task', reason: 'done' });
});

test('completing a task takes it out of each blocked_by', () => {
  const it = opened([busy('alice')], [task('a'), task('b', { blockedBy: ['a'] }), task('c', { blockedBy: ['a', 'b'] })]);
  it.claim('alice', 1);
  it.complete('alice', 1);
  expect(it.state.tasks.map(({ blockedBy }) => blockedBy)).toEqual([[], [], [2]]);
});

test('a claim after shutdown is refused', () => {
  const it = opened([busy('alice'), member('bob')], [task('a', { requiredRole: 'x' })], { takesAnyRole: true });
  it.wait(60_000).idleOver('bob');
  expect(it.claim('bob', 1)).toMatchObject({ refused: 'shut_down' });
  expect(it.claim('nobody', 1)).toMatchObject({ refused: 'unknown_member' });
});

test('a WORK that ends with its own task open is reminded once, then the task goes back and an attempt is used', () => {
  const it = opened([member('alice')], [task('a')]);
  expect(it.end('alice', 'cap')).toEqual(['alice reminder 1']);
  expect(it.task(1)).toMatchObject({ owner: 'alice', attempt: 1 });
  // It goes back, and is claimed again in the same step.
  expect(it.end('alice')).toEqual(['alice task 1']);
  expect(it.notes()).toContainEqual({
    event: 'returned',
    task: 1,
    by: 'alice',
    reason: 'not_completed: its owner has ended its work and left it open',
  });
  expect(it.task(1)).toMatchObject({
    attempt: 2,
    returned: { by: 'alice', reason: 'not_completed: its owner has ended its work and left it open' },
  });
});

test('a reminded member that completes its task is reminded again of the next', () => {
  const it = opened([member('alice')], [task('a'), task('b')]);
  it.end('alice');
  it.complete('alice', 1);
  expect(it.end('alice')).toEqual(['alice task 2']);
  expect(it.end('alice')).toEqual(['alice reminder 2']);
});

test('the WORK of a claimed task with a worktree begins at once, and without an attempt', () => {
  const it = opened([busy('alice')], [task('a'), task('b', { worktree: true })], { worktrees: 'asked' });
  it.claim('alice', 2);
  expect(it.end('alice', 'claimed')).toEqual(['alice task 2']);
  expect(it.task(2).attempt).toBe(1);
});

describe('a task that was tried as often as it may be', () => {
  const held = () => {
    const it = opened([busy('alice')], [task('a'), task('b', { blockedBy: ['a'] }), task('c', { blockedBy: ['b'] })], { attempts: 2 });
    it.claim('alice', 1);
    it.fail('alice', 1);
    expect(it.task(1)).toMatchObject({ status: 'pending', returned: { by: 'alice', reason: 'no luck' } });
    it.claim('alice', 1);
    it.fail('alice', 1);
    return it;
  };

  test('is held, and a person is asked once', () => {
    const it = held();
    expect(it.decisions).toContainEqual({ kind: 'ask-person', task: 1 });
    expect(it.task(1).status).toBe('held');
    expect(it.claim('alice', 1)).toMatchObject({ refused: 'held' });
    expect(it.end('alice')).toEqual([]);
  });

  test('begins anew if the person says so, with all its attempts', () => {
    const it = held();
    it.end('alice');
    expect(it.tell({ kind: 'decided', task: 1, choice: 'again' })).toEqual(['alice task 1']);
    expect(it.task(1).attempt).toBe(1);
    expect(it.tell({ kind: 'decided', task: 1, choice: 'drop' })).toEqual([]);
    expect(it.task(1).status).toBe('in_progress');
  });

  test('starts a member again, if all that may do it have shut down or failed', () => {
    const it = held();
    it.crash('alice');
    expect(it.state.over).toBeUndefined();
    expect(it.tell({ kind: 'decided', task: 1, choice: 'again' })).toEqual(['alice task 1']);
  });

  test('is dropped if the person says so, and what waits for it says that it can never be claimed', () => {
    const it = held();
    it.tell({ kind: 'decided', task: 1, choice: 'drop' });
    expect(it.claim('alice', 1)).toMatchObject({ refused: 'dropped' });
    expect(it.claim('alice', 'c')).toMatchObject({ refused: 'blocked', hint: expect.stringContaining('never') });
    expect(it.claim('alice', 'b')).toMatchObject({ refused: 'blocked', by: [{ id: 1, status: 'dropped' }] });
    it.end('alice');
    it.wait(60_000);
    expect(it.idleOver('alice')).toEqual(['over unfinished']);
  });
});

test('a member whose model fails for good is failed, and its task is tried by another', () => {
  const it = opened([member('alice'), member('bob')], [task('a')]);
  expect(it.crash('alice')).toEqual(['bob task 1']);
  expect(it.member('alice')).toMatchObject({ status: 'failed', reason: 'model.refused: overdrawn' });
  expect(it.task(1)).toMatchObject({ owner: 'bob', attempt: 2, returned: { by: 'alice', reason: 'model.refused: overdrawn' } });
  it.complete('bob', 1);
  it.end('bob');
  it.wait(60_000);
  expect(it.idleOver('bob')).toEqual(['over done']);
});

test('a task that becomes claimable when all that may do it have shut down starts one of them again', () => {
  const tasks = [task('plan', { requiredRole: 'planner' }), task('code', { requiredRole: 'coder', blockedBy: ['plan'] })];
  const it = opened([member('pia', { role: 'planner' }), member('cody', { role: 'coder' })], tasks);
  it.wait(60_000).idleOver('cody');
  expect(it.statuses()).toEqual({ pia: 'working', cody: 'shutdown' });
  it.complete('pia', 1);
  expect(it.owners()).toEqual(['code @cody']);
});

test('the last hundred completed tasks stay, and those before them count as done by number and by name', () => {
  const it = opened(
    [busy('alice')],
    Array.from({ length: 150 }, (_, i) => task(`t${i + 1}`)),
  );
  for (let i = 1; i <= 150; i++) {
    it.claim('alice', i);
    it.wait(1).complete('alice', i);
  }
  expect(it.state.tasks.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, i) => 51 + i));
  expect(it.create('alice', task('next', { blockedBy: [3, 't4', '#5', 't149'] }))).toMatchObject({
    created: { id: 151, status: 'pending' },
  });
  expect(it.task(151).blockedBy).toEqual([]);
  expect(it.claim('alice', 't4')).toMatchObject({ refused: 'done' });
  expect(it.create('alice', task('t4'))).toMatchObject({ refused: 'name_taken' });
});

test('who creates a task learns its number, and not where its text is; who claims it does', () => {
  const it = opened([busy('alice')], []);
  const created = it.create('alice', task('next', { description: PROMPT }));
  expect(created).toMatchObject({ created: { id: 1, subject: 'next' } });
  expect(JSON.stringify(created)).not.toContain('sha256');
  expect(it.claim('alice', 1)).toMatchObject({ claimed: { description: PROMPT } });
});

test('a list of tasks has open ones first, and says what it leaves out', () => {
  const it = opened(
    [busy('alice')],
    Array.from({ length: 300 }, (_, i) => task(`t${i + 1}`)),
  );
  it.claim('alice', 1);
  it.complete('alice', 1);
  expect(it.ask('alice', { kind: 'list_tasks' }, 'same')).toMatchObject({ completed: 1, total: 300, left_out: 100 });
  it.create('alice', task('more'));
  expect(it.ask('alice', { kind: 'list_tasks' }, 'same')).toMatchObject({ total: 301 });
});

test('a later try begins open tasks anew, and done ones stay done', () => {
  const it = opened([member('alice'), member('bob')], [task('a'), task('b'), task('c', { blockedBy: ['b'] })], { attempts: 1 });
  it.complete('alice', 1);
  it.crash('bob');
  it.tell({ kind: 'decided', task: 2, choice: 'drop' });
  it.end('alice');
  it.wait(60_000);
  expect(it.idleOver('alice')).toEqual(['over unfinished']);
  expect(it.tell({ kind: 'again' })).toEqual(['alice task 2']);
  expect(it.task(1).status).toBe('completed');
  expect(it.task(2)).toMatchObject({ attempt: 1 });
  expect(it.statuses()).toEqual({ alice: 'working', bob: 'idle' });
});
