import { setMaxListeners } from 'node:events';
import type { ThermidorClient } from './connect';
import { unlessForgotten } from './ended-runs';
import { outcomeOfError, outcomeOfResult, type RunOutcome } from './outcome';
import { sleep } from './pause';

const LIMIT_MS = 5_000;

/**
 * How the run ended, or undefined if it did not end within the time or the server could not be asked.
 *
 * @param runId one of its executions, if a later run may have the same id
 */
export async function pollOutcome(
  client: ThermidorClient,
  run: string,
  limitMs: number,
  signal: AbortSignal,
  runId?: string,
): Promise<RunOutcome | undefined> {
  // A signal of its own: the SDK adds a listener with each of its looks, and never removes one.
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  const abort = (): void => own.abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    const result = (): Promise<unknown> =>
      client.connection.withAbortSignal(own.signal, () =>
        client.connection.withDeadline(Date.now() + limitMs, () => client.temporal.workflow.getHandle(run, runId).result()),
      );
    return await unlessForgotten(
      client,
      run,
      async () => outcomeOfResult(await result()),
      ({ outcome }) => outcome,
    );
  } catch (error) {
    const outcome = outcomeOfError(error);
    if (outcome === undefined) await sleep(500, signal);
    return outcome;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** How a closed run ended; undefined if it is open. */
export function readOutcome(client: ThermidorClient, run: string): Promise<RunOutcome | undefined> {
  return pollOutcome(client, run, LIMIT_MS, new AbortController().signal);
}
