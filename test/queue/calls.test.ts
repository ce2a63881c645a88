import { ThermidorFailure } from '../../plan/run/failure';
import { brokenBy } from '../../workflows/queue/calls';
import { handle } from '../../workflows/queue/machine';
import { QueueModel } from './model';

test.each([
  ['merge', 'git.failed', true],
  ['merge', 'repository.unusable', true],
  ['advance', 'repository.refused', true],
  // The push may have succeeded.
  ['advance', 'git.failed', false],
  // Temporal has already tried these again as long as it may.
  ['merge', 'git.killed', false],
  ['test', 'worker.lost', false],
  ['merge', 'worktree.unavailable', false],
] as const)('of %s, %s is a fault: %p', (kind, code, isFault) => {
  const failure = new ThermidorFailure(code, 'why');
  expect(brokenBy({ kind, attempt: 1 }, failure)).toEqual({ kind: 'broken', attempt: 1, code, message: 'why', isFault });
});

test('what fails with no code is a bug', () => {
  expect(brokenBy({ kind: 'merge', attempt: 1 }, new TypeError('x'))).toBeUndefined();
});

test('a candidate that has landed before is merged, in what it landed in', () => {
  const model = new QueueModel();
  model.ask({ name: 'a' });
  model.settle();
  model.settle();
  const answer = { onto: ',b', result: ',b', parts: [{ ticket: 1, kind: 'already' as const, result: ',a' }] };
  expect(handle(model.state, { kind: 'merged', attempt: 1, answer })).toEqual([{ kind: 'conclude', tickets: [1], commits: [] }]);
  expect(model.state.ending).toMatchObject([{ outcome: { kind: 'merged', result: ',a' } }]);
});
