import { member, opened, task } from './board';

/** A member with several tasks, each of which has a WORK of its own. */

/** alice is at work on b, and a, which she had completed, has come back from the merge queue. */
function withBoth(limits: object = {}) {
  const it = opened([member('alice')], [task('a'), task('b')], { worktrees: 'all', lands: true, ...limits });
  const complete = (id: string, ref?: number) => {
    const request = { kind: 'complete_task', ...(ref === undefined ? {} : { task: ref }) } as const;
    it.tell({ kind: 'asked', member: 'alice', id, request, commit: `commit-${id}` });
    return it.answer?.said;
  };
  complete('first', 1);
  it.end('alice');
  it.tell({ kind: 'came-back', task: 1, reason: 'its tests fail' });
  expect(it.owners()).toEqual(['a @alice', 'b @alice']);
  return { ...it, complete };
}

test('a call without a task is about the one whose worktree this is, whatever else the member owns', () => {
  const it = withBoth();
  expect(it.complete('b')).toMatchObject({ task: { id: 2, status: 'landing' } });
  expect(it.end('alice')).toEqual(['alice task 1']);
  expect(it.ask('alice', { kind: 'fail_task', reason: 'no luck' })).toMatchObject({ task: { id: 1, status: 'pending' } });
});

test('each task is reminded of in its own worktree, and goes back after that', () => {
  const it = withBoth();
  expect(it.end('alice')).toEqual(['alice task 1']);
  expect(it.end('alice')).toEqual(['alice reminder 1']);
  expect(it.member('alice').work).toMatchObject({ worktree: 1, reminds: [1] });
  expect(it.complete('a')).toMatchObject({ task: { id: 1, status: 'landing' } });
  expect(it.end('alice')).toEqual(['alice reminder 2']);
  expect(it.member('alice').work).toMatchObject({ worktree: 2, reminds: [2] });
  expect(it.task(2)).toMatchObject({ owner: 'alice', attempt: 1 });
  // It goes back, and is claimed again in the same step.
  expect(it.end('alice')).toEqual(['alice task 2']);
  expect(it.task(2)).toMatchObject({ attempt: 2 });
});

test('what comes back during its reminder is begun, and reminded of, anew', () => {
  const it = withBoth();
  it.complete('b');
  it.end('alice');
  expect(it.end('alice')).toEqual(['alice reminder 1']);
  it.complete('a');
  it.tell({ kind: 'came-back', task: 1, reason: 'its tests fail' });
  expect(it.end('alice')).toEqual(['alice task 1']);
  expect(it.end('alice')).toEqual(['alice reminder 1']);
  expect(it.task(1)).toMatchObject({ owner: 'alice', attempt: 3 });
});

test('a worktree that cannot be had takes no other task from its owner', () => {
  const it = withBoth({ attempts: 2 });
  it.end('alice');
  expect(it.end('alice')).toEqual(['alice reminder 1']);
  const lost = { kind: 'work-failed', member: 'alice', code: 'worktree.lost', reason: 'gone', isPlace: true } as const;
  expect(it.tell(lost)).toEqual(['person 1', 'alice reminder 2']);
  expect(it.task(2)).toMatchObject({ owner: 'alice', attempt: 1 });
});

test('tasks that are done in no worktree are reminded of together', () => {
  const it = opened([member('alice')], [task('a'), task('b')]);
  it.claim('alice', 2);
  expect(it.ask('alice', { kind: 'complete_task' })).toMatchObject({ refused: 'unfit', tasks: [1, 2] });
  expect(it.end('alice')).toEqual(['alice reminder 1']);
  expect(it.member('alice').work).toMatchObject({ reminds: [1, 2] });
  it.complete('alice', 1);
  expect(it.end('alice')).toEqual(['alice task 2']);
  expect(it.task(2)).toMatchObject({ attempt: 2 });
});

test('with a budget each is reminded of in a WORK that is charged to it', () => {
  const it = opened([member('alice')], [task('a'), task('b')], { taskBudget: { tokens: 1000 } });
  it.claim('alice', 2);
  expect(it.end('alice', 'claimed')).toEqual(['alice task 2']);
  expect(it.end('alice')).toEqual(['alice reminder 1']);
  expect(it.ask('alice', { kind: 'complete_task' })).toMatchObject({ task: { id: 1 } });
  expect(it.end('alice')).toEqual(['alice reminder 2']);
  expect(it.member('alice').work).toMatchObject({ reminds: [2] });
});
