import type { NativeConnection } from '@temporalio/worker';
import type { Log } from '../activities/log';
import { ThermidorFailure } from '../plan/run/failure';
import type { DrainedHosts } from '../records/drained-hosts';

/** How often somebody is asked, and how long they may be silent before the worker counts as cut off. */
export interface ContactTimes {
  everyMs: number;
  lostAfterMs: number;
}

const TIMES: ContactTimes = { everyMs: 5_000, lostAfterMs: 15_000 };

/**
 * Asks a worker's server or store at intervals whether it is there. The server is asked over the connection that the polls use: an idle
 * poll says nothing for a minute, and the SDK silently retries a broken one. Each change is logged once and reported; a worker begins in
 * contact.
 *
 * @param report gets what is wrong, in one line for everybody; nothing once all is well
 * @returns a function that ends it
 */
export function watchContact(
  of: 'server' | 'store',
  ask: () => Promise<unknown>,
  log: Log,
  report: (problem?: string) => void,
  times = TIMES,
): () => void {
  const { everyMs, lostAfterMs } = times;
  let answeredAtMs = performance.now();
  let has = true;
  let asking = false;
  const change = (to: boolean, problem?: unknown): void => {
    if (has === to) return;
    has = to;
    const silent = `the ${of} has not answered for ${lostAfterMs / 1000} s`;
    if (to) {
      log('info', `the ${of} answers again${of === 'server' ? ': this worker takes work' : ''}`);
      report();
      return;
    }
    const until = of === 'server' ? 'this worker takes no work until it does' : 'steps do not end until it does';
    log('warn', `${silent}: ${until}`, { error: String(problem) });
    // Other failures may quote an address, or whatever else is nobody's business.
    report(problem instanceof ThermidorFailure ? `${silent}: ${problem.message}` : silent);
  };
  const look = async (): Promise<void> => {
    asking = true;
    try {
      await ask();
      answeredAtMs = performance.now();
      change(true);
    } catch (error) {
      if (performance.now() - answeredAtMs >= lostAfterMs) change(false, error);
    } finally {
      asking = false;
    }
  };
  const timer = setInterval(() => {
    if (!asking) void look();
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** The cheapest question that every server answers, for every caller. */
export function askServer(connection: NativeConnection): () => Promise<unknown> {
  return () => connection.withDeadline(Date.now() + TIMES.everyMs, () => connection.workflowService.getSystemInfo({}));
}

/** A question about a few rows, which nobody needs to have answered. */
export function askStore({ drained }: { drained: Pick<DrainedHosts, 'list'> }): () => Promise<unknown> {
  return () => drained.list();
}
