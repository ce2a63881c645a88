import type { RunningWorker } from '../../worker/running-worker';
import type { Finish } from './session-options';

/** How long a shutdown waits first: work that ends by then delays nobody. */
const MOMENT_MS = 1_500;

/** What a leaving process knows of its worker and how it makes way. */
export interface ShutDownOptions {
  /** The runs that still need the worker's work in progress. */
  runs(): Promise<string[]>;
  /** Called before it waits, so that another process takes new work. */
  makePlace(): Promise<void>;
}

/**
 * Shuts a worker down: it takes no new work, and its work in progress gets a moment. The rest is waited for if the process may (`finish`),
 * and is handed over otherwise.
 */
export async function shutDown(
  worker: Pick<RunningWorker, 'shutdown'>,
  finish: Finish | undefined,
  around: ShutDownOptions,
): Promise<void> {
  const handOver = new AbortController();
  const gone = worker.shutdown(handOver.signal);
  const ended = gone.then(
    () => true as const,
    () => true as const,
  );
  const hasEnded = (await Promise.race([ended, aMoment()])) || (await waitFor(ended, finish, around));
  if (!hasEnded) handOver.abort();
  await gone;
}

/** Whether all has ended; false if nobody waits. */
async function waitFor(ended: Promise<true>, finish: Finish | undefined, { runs, makePlace }: ShutDownOptions): Promise<boolean> {
  if (finish === undefined || finish.cut?.aborted) return false;
  const needed = await runs();
  if (needed.length === 0) return false;
  await makePlace();
  finish.waitsFor?.(needed);
  return await (finish.cut === undefined ? ended : Promise.race([ended, cutShort(finish.cut)]));
}

function aMoment(): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), MOMENT_MS).unref();
  });
}

function cutShort(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    else signal.addEventListener('abort', () => resolve(false), { once: true });
  });
}
