import type { NativeConnection } from '@temporalio/worker';
import type { Log } from '../activities/log';

/** How often the server is asked, and how long it may be silent before the worker counts as cut off. */
export interface ContactTimes {
  everyMs: number;
  lostAfterMs: number;
}

const TIMES: ContactTimes = { everyMs: 5_000, lostAfterMs: 15_000 };

/**
 * Asks the server at intervals whether it is there, over the connection that the polls use: an idle poll says nothing for a minute, and the
 * SDK silently retries a broken one. Each change is logged once and reported; a worker begins in contact.
 *
 * @returns a function that ends it
 */
export function watchContact(ask: () => Promise<unknown>, log: Log, report: (has: boolean) => void, times = TIMES): () => void {
  const { everyMs, lostAfterMs } = times;
  let answeredAtMs = performance.now();
  let has = true;
  let asking = false;
  const change = (to: boolean, problem?: unknown): void => {
    if (has === to) return;
    has = to;
    if (to) log('info', 'the server answers again: this worker takes work');
    else
      log('warn', `the server has not answered for ${lostAfterMs / 1000} s: this worker takes no work until it does`, {
        error: String(problem),
      });
    report(to);
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
