import type { NewTask } from '../../plan/board/task';
import { LEAD, member, opened, task } from './board';
import { copied } from './invariants';

/** Tasks with worktrees, and completed ones on their way into a branch. */

const IN_WORKTREE = { worktrees: 'all', lands: true } as const;

function landing(members = [member('alice'), member('bob')], tasks: NewTask[] = [task('a'), task('b', { blockedBy: ['a'] })], limits = {}) {
  const it = opened(members, tasks, { ...IN_WORKTREE, ...limits });
  return {
    ...it,
    state: it.state,
    /** Completes a task with a commit in its worktree. */
    finish: (name: string, ref: number, commit: string | null = `commit-${ref}`) => {
      const asked = { kind: 'complete_task', task: ref, result: { text: `did ${ref}` } } as const;
      const words = it.tell({
        kind: 'asked',
        member: name,
        id: `done-${name}-${ref}-${it.task(ref).offers}`,
        request: asked,
        ...(commit ? { commit } : {}),
      });
      return { words, answer: it.answer };
    },
    landed: (ref: number, commit = `landed-${ref}`) => it.tell({ kind: 'landed', task: ref, commit }),
    cameBack: (ref: number, more = {}) => it.tell({ kind: 'came-back', task: ref, reason: 'its tests fail', onto: 'tip', ...more }),
    notes: it.notes,
  };
}

test('a WORK with a task that has a worktree is there, and so is its reminder', () => {
  const it = landing([member('alice')]);
  expect(it.member('alice').work).toMatchObject({ begins: 'task', task: 1, worktree: 1 });
  it.end('alice');
  expect(it.member('alice').work).toMatchObject({ begins: 'reminder', task: 1, worktree: 1 });
});

test('only what is asked for has a worktree: each task, unless it says otherwise, or those that say so', () => {
  const labels = (worktrees: 'all' | 'asked') =>
    opened(
      [],
      [task('a'), task('the b'), task('c', { worktree: false }), task('d', { worktree: 'tree.d' }), task('e', { worktree: true })],
      {
        worktrees,
      },
    ).state.tasks.map(({ worktree }) => worktree);
  expect(labels('all')).toEqual(['a', 'task-2', undefined, 'tree.d', 'e']);
  expect(labels('asked')).toEqual([undefined, undefined, undefined, 'tree.d', 'e']);
});

test.each<[string, Partial<NewTask>, object, string]>([
  ['a board that makes none', { worktree: true }, {}, 'unfit'],
  ['none, on a board whose tasks all have one', { worktree: false }, IN_WORKTREE, 'unfit'],
  ['a name with a slash', { worktree: 'wt/a' }, IN_WORKTREE, 'unfit'],
  ['a name of 41 characters', { worktree: 'x'.repeat(41) }, IN_WORKTREE, 'unfit'],
  ['the name of another open task', { worktree: 'first' }, IN_WORKTREE, 'name_taken'],
])('refuses a worktree: %s', (_, more, limits, refused) => {
  const it = opened([member('alice')], [task('first', limits === IN_WORKTREE ? { worktree: 'first' } : {})], limits);
  expect(it.create('alice', task('second', more))).toMatchObject({ refused });
  expect(it.state.tasks).toHaveLength(1);
});

test('a board that makes worktrees only for those that ask takes a task that wants none', () => {
  const it = opened([member('alice')], [], { worktrees: 'asked' });
  it.tell({ kind: 'task', task: task('a', { worktree: false }), by: 'fran' });
  it.tell({ kind: 'task', task: task('b', { worktree: true }), by: 'fran' });
  expect(it.state.tasks.map(({ worktree }) => worktree)).toEqual([undefined, 'b']);
});

test('a claim by hand of a task with a worktree begins there when the turn ends, however it ends, and before that nothing is completed', () => {
  const it = landing([member('alice', { isLead: true })]);
  expect(it.claim('alice', 1)).toMatchObject({ claimed: { id: 1 }, begins_with_next_work: true });
  expect(it.finish('alice', 1).answer).toMatchObject({ refused: true, said: { refused: 'elsewhere' } });
  expect(it.end('alice', 'cap')).toEqual(['alice task 1']);
  expect(it.member('alice').work).toMatchObject({ worktree: 1 });
  expect(it.task(1)).toMatchObject({ attempt: 1 });
  expect(it.finish('alice', 1).answer).toMatchObject({ said: { task: { status: 'landing' } } });
});

test('a task is completed once it has landed, and only then what waits for it begins', () => {
  const it = landing();
  it.wait(1000);
  expect(it.finish('alice', 1).words).toEqual(['land 1']);
  expect(it.task(1)).toMatchObject({ status: 'landing', owner: 'alice', commit: 'commit-1', offers: 1 });
  expect(it.end('alice')).toEqual([]);
  expect(it.claim('bob', 1)).toMatchObject({ refused: 'not_working' });
  it.wait(1000);
  // bob has been idle for longer.
  expect(it.landed(1)).toEqual(['bob task 2']);
  expect(it.task(1)).toMatchObject({ status: 'completed', commit: 'landed-1', result: { text: 'did 1' } });
  expect(it.landed(1)).toEqual([]);
  expect(it.cameBack(1)).toEqual([]);
});

test('others see a task that lands as taken', () => {
  const it = landing([member('alice'), member('bob', { isLead: true })]);
  it.finish('alice', 1);
  expect(it.claim('bob', 1)).toMatchObject({ refused: 'already_claimed', by: 'alice' });
  expect(it.claim('bob', 2)).toMatchObject({ refused: 'blocked', by: [{ id: 1, status: 'landing' }] });
  expect(it.complete('alice', 1)).toMatchObject({ refused: 'not_yours' });
  expect(it.fail('alice', 1)).toMatchObject({ refused: 'not_yours' });
});

test('a task that has changed nothing has nothing to land, and the answer to its owner says so', () => {
  const it = landing([member('alice')], [task('a'), task('b', { worktree: false })]);
  const { answer } = it.finish('alice', 1, null);
  expect(answer?.said).toMatchObject({ task: { status: 'completed' }, hint: expect.stringContaining('nothing lands') });
  expect(it.task(1)).toMatchObject({ status: 'completed' });
  it.end('alice');
  expect(it.member('alice').work).not.toHaveProperty('worktree');
  // Whatever commit the event has, the task has no worktree.
  expect(it.finish('alice', 2, 'stray').answer?.said).toEqual({ task: { id: 2, status: 'completed' } });
  expect(it.task(2)).toMatchObject({ status: 'completed' });
  expect(it.task(2)).not.toHaveProperty('commit');
});

describe('what comes back from the merge queue', () => {
  test('is its idle owner’s at once, in its worktree, with the reason in the inbox, and an attempt is used', () => {
    const it = landing([member('alice')]);
    it.finish('alice', 1);
    it.end('alice');
    expect(it.statuses()).toEqual({ alice: 'idle' });
    expect(it.cameBack(1)).toEqual(['alice task 1']);
    expect(it.member('alice').work).toMatchObject({ worktree: 1, messages: [expect.any(String)] });
    expect(it.inbox('alice')).toEqual([expect.stringContaining('#1 came back from the merge queue')]);
    expect(it.task(1)).toMatchObject({
      status: 'in_progress',
      owner: 'alice',
      attempt: 2,
      onto: 'tip',
      returned: { reason: 'its tests fail' },
    });
    expect(it.finish('alice', 1, 'better').words).toEqual(['land 1']);
    expect(it.task(1)).toMatchObject({ offers: 2, commit: 'better' });
  });

  test('waits until its owner’s turn ends, and comes before a reminder of something else', () => {
    const it = landing([member('alice')], [task('a'), task('b')]);
    it.finish('alice', 1);
    it.end('alice');
    expect(it.member('alice').work).toMatchObject({ task: 2 });
    expect(it.cameBack(1)).toEqual([]);
    expect(it.inbox('alice')).toHaveLength(1);
    // It is not here, and what is here is not it.
    expect(it.finish('alice', 1, 'of-2').answer).toMatchObject({ said: { refused: 'elsewhere' } });
    expect(it.end('alice')).toEqual(['alice task 1']);
    expect(it.inbox('alice')).toHaveLength(1);
    it.finish('alice', 1);
    expect(it.end('alice')).toEqual(['alice reminder 2']);
    expect(it.inbox('alice')).toEqual([]);
    expect(it.task(2)).toMatchObject({ owner: 'alice', attempt: 1 });
  });

  test.each<[string, (it: ReturnType<typeof landing>) => void]>([
    ['has failed', (it) => it.crash('alice')],
    [
      'has agreed to shut down',
      (it) => {
        it.askToEnd('alice');
        it.respond('alice', 'end-alice', true);
      },
    ],
  ])('goes back to the board if its owner %s', (_, gone) => {
    const it = landing([member('alice'), member('bob', { isLead: true })], [task('a')]);
    it.finish('alice', 1);
    gone(it);
    expect(it.task(1)).toMatchObject({ status: 'landing' });
    it.cameBack(1);
    expect(it.task(1)).toMatchObject({ status: 'pending', returned: { by: 'the merge queue' }, worktree: 'a', onto: 'tip' });
    expect(it.task(1)).not.toHaveProperty('owner');
    // Its turn in the worktree is over then.
    it.end('alice');
    expect(it.claim('bob', 1)).toMatchObject({ claimed: { id: 1 } });
    expect(it.task(1)).toMatchObject({ attempt: 2 });
  });

  test('is bounded: after the last attempt a person is asked, and a yes begins anew', () => {
    const it = landing([member('alice')], [task('a')], { attempts: 2 });
    it.finish('alice', 1);
    it.cameBack(1);
    it.end('alice');
    it.finish('alice', 1);
    expect(it.cameBack(1)).toEqual(['person 1']);
    expect(it.task(1)).toMatchObject({ status: 'held', attempt: 2 });
    it.end('alice');
    expect(it.tell({ kind: 'decided', task: 1, choice: 'again' })).toEqual(['alice task 1']);
    expect(it.task(1)).toMatchObject({ attempt: 1, worktree: 'a' });
  });

  test('of a red target is nobody’s fault: a person is asked, and after a yes the same commit is offered again', () => {
    const it = landing([member('alice')], [task('a')]);
    it.finish('alice', 1);
    expect(it.cameBack(1, { isNoFault: true })).toEqual(['person 1']);
    expect(it.task(1)).toMatchObject({ status: 'held', attempt: 1, commit: 'commit-1' });
    it.end('alice');
    expect(it.tell({ kind: 'decided', task: 1, choice: 'again' })).toEqual(['land 1']);
    expect(it.task(1)).toMatchObject({ status: 'landing', offers: 2, commit: 'commit-1' });
    it.landed(1);
    expect(it.task(1)).toMatchObject({ status: 'completed', attempt: 1 });
  });
});

describe('while a task lands', () => {
  test('its owner does not shut down for want of work, and its time begins anew afterwards', () => {
    const it = landing([member('alice')], [task('a')]);
    it.finish('alice', 1);
    it.end('alice');
    it.wait(600_000);
    expect(it.idleOver('alice')).toEqual([]);
    expect(it.statuses()).toEqual({ alice: 'idle' });
    it.landed(1);
    it.wait(59_999).idleOver('alice');
    expect(it.statuses()).toEqual({ alice: 'idle' });
    expect(it.wait(1).idleOver('alice')).toEqual(['over done']);
  });

  test('the board is not over, though everybody has gone', () => {
    const it = landing([member('alice')], [task('a')]);
    it.finish('alice', 1);
    it.crash('alice');
    expect(it.state.over).toBeUndefined();
    expect(it.landed(1)).toEqual(['over done']);
  });

  test('a team that drains takes nothing back, and ends when all is known', () => {
    const it = landing([member('alice')], [task('a')]);
    it.finish('alice', 1);
    it.tell({ kind: 'drain', by: 'fran' });
    it.respond('alice', it.state.requests[0]!.id, true);
    it.end('alice');
    expect(it.state.over).toBeUndefined();
    expect(it.cameBack(1)).toEqual(['over stopped']);
    expect(it.task(1)).toMatchObject({ status: 'pending' });
  });

  test('a board that begins again offers it again', () => {
    const it = landing([member('alice')], [task('a')]);
    it.finish('alice', 1);
    expect(it.tell({ kind: 'again' })).toContain('land 1');
    expect(it.task(1)).toMatchObject({ status: 'landing', offers: 2 });
  });

  test('until everything is done, it is not done', () => {
    const it = landing([member('alice')], [task('a')], { until: 'all_done' });
    it.finish('alice', 1);
    it.end('alice');
    expect(it.inbox('alice')).toEqual([]);
    it.landed(1);
    expect(it.member('alice').inbox.map(({ type }) => type)).toEqual(['shutdown_request']);
  });
});

describe('a worktree that cannot be had', () => {
  const fails = (it: ReturnType<typeof landing>) =>
    it.tell({ kind: 'work-failed', member: 'alice', code: 'repository.unusable', reason: 'no commit', isPlace: true });

  test('sends the task back, bounded, and the member goes on', () => {
    const it = landing([member('alice')], [task('a'), task('b', { worktree: false })], { attempts: 2 });
    expect(fails(it)).toEqual(['alice task 1']);
    expect(fails(it)).toEqual(['person 1', 'alice task 2']);
    expect(it.task(1)).toMatchObject({ status: 'held', returned: { reason: 'repository.unusable: no commit' } });
    expect(it.statuses()).toEqual({ alice: 'working' });
  });

  test('is the member’s failure if its WORK was nowhere near it', () => {
    const it = landing([member('alice')], [task('b', { worktree: false })]);
    fails(it);
    expect(it.statuses()).toEqual({ alice: 'failed' });
  });
});

test('is plain JSON at every point', () => {
  const it = landing();
  it.finish('alice', 1);
  it.askToEnd('alice', LEAD);
  it.cameBack(1);
  expect(copied(it.state)).toEqual(it.state);
});
