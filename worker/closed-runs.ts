import { tellClosed } from '../activities/run/tell-closed';
import { type ClosedRunsOptions, type ClosedStatus, closedByServer, closedExecutions } from './closed-executions';
import { startEndSweep, sweepEnds } from './end-sweep';

/**
 * Looks for runs that the server itself has closed: terminated, or timed out. Their code cannot say so, so a worker does
 * (`tell-closed.ts`), and writes their records (`end-sweep.ts`). What they held of the fleet is freed with what killed workers held.
 *
 * Invariants: 1. a run that continues in another execution, as after a reset, is not closed; 2. runs of other state folders are left alone.
 */
const EVERY_MS = 30_000;
/** A run that was closed longer ago is no news. */
const NEWS_MS = 24 * 60 * 60 * 1000;
const BY_SERVER: readonly ClosedStatus[] = ['Terminated', 'TimedOut'];

/** Looks now and every half minute, alongside the worker's work. Returns the function that ends it. */
export function watchClosedRuns(options: ClosedRunsOptions): () => Promise<void> {
  const stopping = new AbortController();
  const settled = new Set<string>();
  const sweep = startEndSweep();
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const next = (): void => {
    const failed = (error: unknown): void => options.log('debug', 'closed runs could not be searched', { error: String(error) });
    last = tellOfClosedRuns(options, settled, stopping.signal)
      .catch(failed)
      .then(() => sweepEnds(options, sweep, stopping.signal))
      .catch(failed)
      .then(() => options.toolbox.slots?.sweep())
      .catch((error: unknown) => options.log('debug', 'slots of the fleet could not be swept', { error: String(error) }))
      .finally(() => {
        if (!stopping.signal.aborted) timer = setTimeout(next, EVERY_MS).unref();
      });
  };
  next();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await last;
  };
}

/** Looks once for closed runs. `settled`: executions that need no further look, by id. */
export async function tellOfClosedRuns(options: ClosedRunsOptions, settled: Set<string>, signal: AbortSignal): Promise<void> {
  const { server, toolbox, log } = options;
  const closed = closedExecutions(options, BY_SERVER, new Date(Date.now() - NEWS_MS));
  for await (const { workflowId, runId } of closed) {
    if (signal.aborted) return;
    if (settled.has(runId)) continue;
    try {
      const found = await closedByServer(server, options.namespace, { workflowId, runId }, BY_SERVER);
      if (found === undefined || (await tellClosed(toolbox, found, signal))) settled.add(runId);
    } catch (error) {
      log('debug', 'the notice that the server closed a run could not be sent', { workflowId, error: String(error) });
    }
  }
}
