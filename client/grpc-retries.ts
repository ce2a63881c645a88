import { setTimeout as wait } from 'node:timers/promises';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/** Longest pause between two attempts of a request; a connection that closes waits for at most one. */
const LONGEST_PAUSE_MS = 1000;
const MARGIN_MS = 20;

/**
 * What the server answers to an update or a query if tasks of the run failed or timed out several times, as in a flood of signals, or if
 * its worker is starved. The run recovers, and the request is not refused for good.
 */
const TASKS_FAIL = /workflow task in failed state/i;
const FAILED_PRECONDITION = 9;

/** Whether the same request may do better, for as long as its time limit lets it. */
export function isTaskFailure({ code, details }: { code: number; details: string }): boolean {
  return code === FAILED_PRECONDITION && TASKS_FAIL.test(details);
}

/**
 * The SDK's retries of requests that failed for no reason of their own, in a form that lets a connection be closed while one is due: the
 * SDK would start it on the closed channel, and that error could not be caught.
 */
export function retriesUntilClosed(): { interceptor: ReturnType<typeof makeGrpcRetryInterceptor>; closed: () => Promise<void> } {
  const standard = defaultGrpcRetryOptions();
  let closing = false;
  let dueAtMs = 0;
  return {
    interceptor: makeGrpcRetryInterceptor({
      retryableDecider: (attempt, status) => !closing && (isTaskFailure(status) || standard.retryableDecider(attempt, status)),
      delayFunction(attempt, status) {
        const pauseMs = Math.min(LONGEST_PAUSE_MS, standard.delayFunction(attempt, status));
        dueAtMs = Math.max(dueAtMs, Date.now() + pauseMs);
        return pauseMs;
      },
    }),
    /** Plans no further retry; settles when the planned ones have started. */
    async closed() {
      closing = true;
      const leftMs = dueAtMs - Date.now();
      if (leftMs > -MARGIN_MS) await wait(leftMs + MARGIN_MS);
    },
  };
}
