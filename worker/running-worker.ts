import { GracefulShutdownPeriodExpiredError, type Worker } from '@temporalio/worker';
import type { InFlight } from '../activities/in-flight';
import { ThermidorFailure } from '../plan/run/failure';

/** How a worker ends: it takes no new work, what it has in progress gets the grace time, and what has not ended then is laid down. */
export interface RunningWorker {
  identity: string;
  /** Settles when the worker has stopped; rejects where it broke off. */
  finished: Promise<void>;
  /** The runs whose steps it has in progress, by workflow id. */
  inHand(): string[];
  /**
   * Takes no new work, lets steps in flight end within the grace time, then hands them over; before that, where `handOver` is aborted.
   * Fails if a step does not end on request.
   */
  shutdown(handOver?: AbortSignal): Promise<void>;
}

/** After the grace time, for what does not listen to its signal. */
export const SHUTDOWN_FORCE_MS = 5000;

interface Members {
  identity: string;
  workers: readonly Worker[];
  leave(): Promise<void>;
  hand: InFlight;
  graceMs: number;
}

/** All of them run until all have stopped; where one breaks off, the others stop too. */
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

/** Settles only by failing: once the order came, and what is in hand did not end. */
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
  const left = hand.unended().join(', ') || 'nothing that it knows of';
  return new ThermidorFailure('worker.lost', `the worker stops, but what was told to end has not: ${left}; another worker begins it again`);
}
