import type { Terminal } from './terminal';

/** Settles at the first Ctrl-C or SIGTERM. Keeps the process alive until then. */
export function waitForInterrupt({ interrupted }: Terminal): Promise<void> {
  if (interrupted.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const alive = setInterval(() => undefined, 60_000);
    interrupted.addEventListener(
      'abort',
      () => {
        clearInterval(alive);
        resolve();
      },
      { once: true },
    );
  });
}
