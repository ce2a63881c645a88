import type { Finish } from './session-options';
import type { OwnWorker } from './start-own-worker';

/** What has ended by then was in nobody's way. */
const MOMENT_MS = 1_500;

/** What the process that leaves knows and does around its worker. */
export interface ShutDownOptions {
  /** The runs that still need what the worker has in progress. */
  runs(): Promise<string[]>;
  /** Called before it waits, so that another process takes what is new. */
  makePlace(): Promise<void>;
}

/**
 * A worker's leave: it takes no new work, and what it has in progress gets a moment. What has not ended then is waited for where the
 * process
 * may (`finish`), and is handed over else.
 */
export async function shutDown(worker: Pick<OwnWorker, 'shutdown'>, finish: Finish | undefined, around: ShutDownOptions): Promise<void> {
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

/** Whether all has ended then; false where nobody waits. */
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
