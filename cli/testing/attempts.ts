import { bug, FAILURES, ThermidorFailure } from '../../plan/run/failure';
import type { MemoryCall } from '../../workflows/memory/memory-run';
import type { PendingWork } from './pending-work';

/** The worker's first retry interval, as set for Temporal. */
const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 10_000;

/** Repeats a failed activity, as Temporal would, and as long as it would. */
export async function attempts<T>(
  { clock, options, signal }: Pick<MemoryCall, 'clock' | 'options' | 'signal'>,
  meter: PendingWork,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  const lastMs = clock.now() + (options.scheduleToCloseMs ?? Number.POSITIVE_INFINITY);
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      const failure = asFailure(error);
      const waitMs = failure.retryAfterMs ?? Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1));
      if (signal.aborted || FAILURES[failure.code].retried !== 'temporal' || clock.now() + waitMs > lastMs) throw failure;
      await meter.sleep(waitMs, signal);
    }
  }
}

/** Work under a signal that is aborted with the caller's, or with `error` once so much virtual time has passed. */
export async function withinVirtual<T>(
  { clock, signal }: Pick<MemoryCall, 'clock' | 'signal'>,
  limit: { ms: number | undefined; error: (ms: number) => Error },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { ms } = limit;
  if (ms === undefined) return await work(signal);
  const abort = new AbortController();
  const stop = (): void => abort.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const unset = clock.after(ms, () => abort.abort(limit.error(ms)));
  try {
    return await work(abort.signal);
  } finally {
    unset();
    signal.removeEventListener('abort', stop);
  }
}

/** Converts an error as the binding to Temporal does: anything unknown is a bug. */
function asFailure(error: unknown): ThermidorFailure {
  if (error instanceof ThermidorFailure) return error;
  return bug(`unexpected: ${error instanceof Error ? error.message : String(error)}`);
}
