import { GracefulShutdownPeriodExpiredError, type Worker } from '@temporalio/worker';
import type { InFlight } from '../activities/in-flight';
import { ThermidorFailure } from '../plan/run/failure';
import { SHUTDOWN_FORCE_MS } from './shutdown-times';

/** How a worker ends: it takes no new work, its work in progress gets the grace time, and the rest is handed over. */
export interface RunningWorker {
  identity: string;
  /** Settles when the worker has stopped; rejects if it broke off. */
  finished: Promise<void>;
  /** The runs of its steps in progress, by workflow id. */
  inHand(): string[];
  /**
   * Takes no new work, lets steps in flight end within the grace time, then hands them over; earlier if `handOver` is aborted. Fails if a
   * step does not end on request.
   */
  shutdown(handOver?: AbortSignal): Promise<void>;
}

interface Members {
  identity: string;
  workers: readonly Worker[];
  leave(): Promise<void>;
  hand: InFlight;
  graceMs: number;
}

/** Runs all workers until all have stopped; if one breaks off, the others stop too. */
export function running({ identity, workers, leave, hand, graceMs }: Members): RunningWorker {
  let grace: NodeJS.Timeout | undefined;
  const stop = () => {
    if (grace === undefined) hand.stopping();
    grace ??= setTimeout(() => hand.drain(), graceMs).unref();
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const runs = workers.map((worker) => worker.run());
  for (const run of runs) run.catch(stop);
  const finished = Promise.allSettled(runs)
    .finally(() => clearTimeout(grace))
    .finally(leave)
    .then((ends) => {
      const broken = ends.find((end) => end.status === 'rejected');
      if (broken) throw broken.reason instanceof GracefulShutdownPeriodExpiredError ? notEnded(hand) : broken.reason;
    });
  // The caller that awaits `finished` gets the error; nobody may be waiting yet.
  finished.catch(() => undefined);
  return {
    identity,
    finished,
    inHand: () => hand.runs(),
    async shutdown(handOver) {
      stop();
      await (handOver === undefined ? finished : Promise.race([finished, laidDown(hand, handOver)]));
    },
  };
}

/** Rejects if work in progress does not end after the order; never resolves. */
function laidDown(hand: InFlight, order: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const layDown = (): void => {
      hand.drain();
      const late = (): void => reject(notEnded(hand));
      setTimeout(late, SHUTDOWN_FORCE_MS).unref();
    };
    if (order.aborted) layDown();
    else order.addEventListener('abort', layDown, { once: true });
  });
}

function notEnded(hand: InFlight): ThermidorFailure {
  const left = hand.unended().join(', ') || 'nothing that the worker knows of';
  return new ThermidorFailure('worker.lost', `the worker stops, but this work has not ended: ${left}; another worker begins it again`);
}
