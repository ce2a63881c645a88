import { retryLine } from '../../../cli/lobster/retry-log';
import type { JournalEntry } from '../../../plan/run/journal';
import type { RetryPolicy, Step } from '../../../plan/steps/step';

const steps = (retry: RetryPolicy): Map<string, Step> =>
  new Map([['fetch', { id: 'fetch', as: 'fetch it', kind: 'command', command: { shell: [], raw: true }, retry }]]);
const failed = (follows: number): Extract<JournalEntry, { kind: 'step' }> => ({
  seq: 1,
  at: '2026-01-01T00:00:00.000Z',
  kind: 'step',
  step: 'loop[3]/fetch',
  state: 'running',
  reason: `try ${follows} follows`,
  error: { code: 'command.failed', message: 'boom' },
});

test('says which try of how many failed, why, and when the next comes', () => {
  expect(retryLine(failed(2), steps({ max: 3, delayMs: 10 }))).toBe(
    "[RETRY] Step 'fetch it' failed (attempt 1/3): boom. Retrying in 10ms...",
  );
});

test.each([
  [2, { max: 9 }, 1000],
  [4, { max: 9, backoff: 'exponential', delayMs: 100 }, 400],
  [9, { max: 9, backoff: 'exponential', delayMs: 1000 }, 30_000],
] as const)('before try %i of %j it waits %i ms', (follows, policy, delayMs) => {
  expect(retryLine(failed(follows), steps(policy))).toContain(`Retrying in ${delayMs}ms...`);
});

test('any other entry, and a step without a policy, has no line', () => {
  const { reason: _none, ...plain } = failed(2);
  expect(retryLine(plain, steps({ max: 3 }))).toBeUndefined();
  expect(retryLine(failed(2), new Map())).toBeUndefined();
});
