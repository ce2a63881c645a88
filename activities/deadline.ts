/** Rings once, after `ms` milliseconds, unless it is stopped by the returned function. */
export type Timer = (ms: number, ring: () => void) => () => void;

/** The machine's timer. It counts to 2^31-1 ms, about 25 days. */
export const REAL_TIMER: Timer = (ms, ring) => {
  const timer = setTimeout(ring, Math.min(ms, 2 ** 31 - 1));
  return () => clearTimeout(timer);
};

/**
 * Runs work under a signal of its own, which is aborted when the caller's is or when the time is up. The promise settles at once in both
 * cases, even if the work does not listen; late results are dropped.
 */
export async function withDeadline<T>(
  outer: AbortSignal,
  limit: { ms: number | undefined; error: () => Error; timer?: Timer | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted();
  const inner = new AbortController();
  const onOuter = () => inner.abort(outer.reason);
  outer.addEventListener('abort', onOuter, { once: true });
  const timer = limit.timer ?? REAL_TIMER;
  const stop = limit.ms === undefined ? undefined : timer(limit.ms, () => inner.abort(limit.error()));
  try {
    return await unlessAborted(inner.signal, work(inner.signal));
  } finally {
    stop?.();
    outer.removeEventListener('abort', onOuter);
  }
}

/** The promise's outcome, or the signal's reason if that comes first. */
export async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  // Its failure after the abort concerns nobody any more.
  promise.catch(() => undefined);
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
