import { member, opened, task } from './board';

test('three tasks, two teammates: all are claimed without assignment', () => {
  const it = opened([member('alice'), member('bob')], [task('a'), task('b'), task('c')]);
  expect(it.begun).toEqual(['alice task 1', 'bob task 2']);
  expect(it.task(1)).toMatchObject({ owner: 'alice', status: 'in_progress', claimedAtMs: 0, claimSource: 'auto' });
  it.wait(1000).complete('bob', 2);
  expect(it.end('bob')).toEqual(['bob task 3']);
  it.complete('alice', 1);
  expect(it.end('alice')).toEqual([]);
  it.complete('bob', 3);
  it.wait(1000).end('bob');
  it.wait(59_000);
  expect(it.idleOver('alice')).toEqual([]);
  it.wait(1000);
  expect(it.idleOver('bob')).toEqual(['over done']);
});
