import { ApplicationFailure, type Context } from '@temporalio/activity';
import { startedAt, toApplicationFailure } from '../../activities/temporal-call';
import { UNREPORTED_USAGE } from '../../plan/budgets/usage';
import { FAILURES, type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';

const quiet = () => undefined;

describe('a failure on its way through Temporal', () => {
  test.each(Object.keys(FAILURES) as FailureCode[])('keeps its code, and is retried there only where it is nobody’s fault: %s', (code) => {
    const failure = toApplicationFailure(new ThermidorFailure(code, 'message', { a: 1 }), quiet);
    expect(failure).toMatchObject({ type: code, message: 'message', details: [{ a: 1 }] });
    expect(failure.nonRetryable).toBe(FAILURES[code].retried !== 'temporal');
  });

  test('leaves the workflow task to another worker, and tries nothing again within it, if this one is too old', () => {
    const tooOld = new ThermidorFailure('worker.too-old', 'm');
    expect([true, false].map((isLocal) => toApplicationFailure(tooOld, quiet, isLocal).nonRetryable)).toEqual([true, false]);
    expect(toApplicationFailure(new ThermidorFailure('store.unavailable', 'm'), quiet, true).nonRetryable).toBe(false);
  });

  test('brings what its try has come to next to its details, and never among them', () => {
    const work = { usage: { ...UNREPORTED_USAGE, inputTokens: 3 }, journal: [] };
    const said = { usage: 'a word of the failure' };
    const failed = (details?: Json) => toApplicationFailure(new ThermidorFailure('reply.invalid', 'm', details, undefined, work), quiet);
    expect([failed(said).details, failed().details]).toEqual([
      [said, work],
      [null, work],
    ]);
  });

  test('says when to come back', () => {
    expect(toApplicationFailure(new ThermidorFailure('model.overloaded', '529', null, 2000), quiet).nextRetryDelay).toBe(2000);
  });

  test('is a bug if it has no code: not retried, its stack in the log', () => {
    const logged: unknown[] = [];
    const failure = toApplicationFailure(new TypeError('x is not a function'), (level, _, fields) => logged.push(level, fields?.['error']));
    expect(failure).toMatchObject({ type: 'internal', nonRetryable: true });
    expect(logged).toEqual(['error', expect.stringContaining('temporal-call.test')]);
  });

  test('passes as it is if it is Temporal’s already', () => {
    const failure = ApplicationFailure.nonRetryable('x', 'y');
    expect(toApplicationFailure(failure, quiet)).toBe(failure);
  });
});

describe('when an attempt was given out, by the server’s clock', () => {
  const SCHEDULED = Date.parse('2026-12-01T12:00:00Z');
  const YEAR_MS = 365 * 86_400_000;

  /** The server gave it out 40 s after it was scheduled. */
  async function started(hereMs: number, describing?: Error): Promise<[startedMs: number, asked: number]> {
    let asked = 0;
    const describe = async () => {
      asked += 1;
      if (describing) throw describing;
      return { raw: { pendingActivities: [{ activityId: 'other' }, { activityId: 'a#1~1', lastStartedTime: stamp(SCHEDULED + 40_000) }] } };
    };
    const client = { withDeadline: (_at: number, work: () => Promise<unknown>) => work(), workflow: { getHandle: () => ({ describe }) } };
    const info = { activityId: 'a#1~1', currentAttemptScheduledTimestampMs: SCHEDULED, workflowExecution: { workflowId: 'w', runId: 'r' } };
    return [(await startedAt({ client, info } as unknown as Context, hereMs)) - SCHEDULED, asked];
  }
  const stamp = (ms: number) => ({ seconds: ms / 1000, nanos: 0 });

  test.each([
    ['it is here at once', 0, [0, 0]],
    ['it is here soon, or this clock is a moment ahead', 900, [0, 0]],
    ['this clock is a moment behind', -100, [40_000, 1]],
    ['it has waited for a worker', 40_010, [40_000, 1]],
    ['this clock is a year ahead', YEAR_MS, [40_000, 1]],
    ['this clock is a year behind', -YEAR_MS, [40_000, 1]],
  ])('%s', async (_, sinceMs, expected) => {
    expect(await started(SCHEDULED + sinceMs)).toEqual(expected);
  });

  test('a server that cannot be asked leaves this clock', async () => {
    expect(await started(SCHEDULED + 5000, new Error('gone'))).toEqual([5000, 1]);
  });
});
