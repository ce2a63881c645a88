import { defaultCachedRuns } from '../../worker/cached-runs';

const MIB = 2 ** 20;

test.each([
  [128, 50],
  [1024, 64],
  [1600, 100],
  [2048, 125],
  [64_000, 125],
])('with a heap of %i MiB a worker keeps %i runs in memory', (heap, runs) => {
  expect(defaultCachedRuns(heap * MIB)).toBe(runs);
});
