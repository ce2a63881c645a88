import { ApplicationFailure } from '@temporalio/activity';
import { toApplicationFailure } from '../../activities/temporal-call';
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
