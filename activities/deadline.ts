/**
 * Runs work under a signal of its own, which is aborted when the caller's is or when the time is up. The promise settles at
 * once in both cases, also where the work does not listen; late results are dropped.
 */
export async function withDeadline<T>(
  outer: AbortSignal,
  limit: { ms: number | undefined; error: () => Error },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted();
  const inner = new AbortController();
  const onOuter = () => inner.abort(outer.reason);
  outer.addEventListener('abort', onOuter, { once: true });
  // A timer counts to 2^31-1 ms, about 25 days.
  const timer = limit.ms === undefined ? undefined : setTimeout(() => inner.abort(limit.error()), Math.min(limit.ms, 2 ** 31 - 1));
  try {
    return await unlessAborted(inner.signal, work(inner.signal));
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', onOuter);
  }
}

/** The promise's outcome, or the signal's reason if that comes first. */
export async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  // Its failure after the abort is nobody's concern any more.
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
