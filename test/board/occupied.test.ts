import { boardView } from '../../kinds/board/view';
import { member, opened, task } from './board';

/** A task that its owner has given back, while the owner still works in its worktree. */

function given() {
  const it = opened([member('alice'), member('bob'), member('lead', { isLead: true })], [task('a')], { worktrees: 'all' });
  expect(it.fail('alice', 1)).toMatchObject({ task: { status: 'pending' }, hint: expect.stringContaining('when your turn ends') });
  it.wait(1000);
  return it;
}

test('it is nobody’s until the turn in its worktree ends', () => {
  const it = given();
  expect(it.statuses()).toMatchObject({ alice: 'working', bob: 'idle' });
  expect(it.claim('lead', 1)).toMatchObject({ refused: 'occupied', by: 'alice' });
  expect(boardView(it.state).tasks).toMatchObject([{ status: 'pending', occupant: 'alice' }]);
  expect(it.end('alice')).toEqual(['bob task 1']);
  expect(it.task(1)).toMatchObject({ attempt: 2 });
  expect(boardView(it.state).tasks[0]).not.toHaveProperty('occupant');
});

test('who is there can claim it again', () => {
  const it = given();
  expect(it.claim('alice', 1)).toMatchObject({ claimed: { id: 1 } });
  expect(it.complete('alice', 1)).toMatchObject({ task: { status: 'completed' } });
});

test.each<[string, (it: ReturnType<typeof given>) => string[]]>([
  ['has failed', (it) => it.crash('alice')],
  [
    'was cut off',
    (it) => {
      it.askToEnd('alice');
      return it.wait(300_000).tell({ kind: 'request-overdue', requestId: 'end-alice' });
    },
  ],
])('it is claimed once the member who is there %s', (_, ends) => {
  expect(ends(given())).toContain('bob task 1');
});

test('if everybody else has shut down meanwhile, one of them starts again for it', () => {
  const it = given();
  it.wait(60_000).idleOver('bob');
  expect(it.statuses()).toMatchObject({ bob: 'shutdown' });
  it.askToEnd('alice');
  it.respond('alice', 'end-alice', true);
  expect(it.end('alice')).toEqual(['bob task 1']);
});

test('a task without a worktree is tried again at once', () => {
  const it = opened([member('alice'), member('bob')], [task('a')]);
  it.fail('alice', 1);
  expect(it.task(1)).toMatchObject({ status: 'in_progress', owner: 'bob' });
});
