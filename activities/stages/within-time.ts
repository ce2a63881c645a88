import { ThermidorFailure } from '../../plan/failure';

/** A timer counts to 2^31-1 ms, about 25 days. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Runs work under a signal that is aborted when the caller's is or when the time is up, and waits until the work has ended: what
 * it started has ended too by then. Fails with `command.timeout`.
 */
export async function withinTime<T>(
  outer: AbortSignal,
  timeoutMs: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return await work(outer);
  const limit = new AbortController();
  const late = () => limit.abort(new ThermidorFailure('command.timeout', `the pipe did not finish within ${timeoutMs} ms`, { timeoutMs }));
  const timer = setTimeout(late, Math.min(timeoutMs, LONGEST_MS));
  try {
    return await work(AbortSignal.any([outer, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}
