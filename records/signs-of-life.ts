/**
 * Gives signs of life until it is stopped, one after the other: one that hangs delays the next.
 *
 * @param failed called for the first of several that fail in a row
 * @returns stops it, and waits for the last one
 */
export function repeatSigns(sign: () => Promise<void>, everyMs: number, failed: (problem: unknown) => void): () => Promise<void> {
  let isStopped = false;
  let hasFailed = false;
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const next = (): void => {
    timer = setTimeout(() => {
      last = sign().then(
        () => {
          hasFailed = false;
        },
        (problem: unknown) => {
          if (!hasFailed) failed(problem);
          hasFailed = true;
        },
      );
      void last.then(() => (isStopped ? undefined : next()));
    }, everyMs).unref();
  };
  next();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await last;
  };
}
