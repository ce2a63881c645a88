import type { Begins } from '../../../plan/steps/step-activity';
import type { Run } from '../run';

/**
 * When work began and ended, as its worker says.
 *
 * Invariant: a worker's clock may be wrong, so none of its times is before the moment in which the run handed the work out, nor after the one
 * in which the run heard of it, nor before one that was told earlier. Times of a step are in order, whatever the clocks of its workers say.
 */
export function workClock(run: Pick<Run, 'ctx'>, sinceMs: number): (atMs: number) => number {
  const heardMs = run.ctx.now();
  let lastMs = Math.min(sinceMs, heardMs);
  return (atMs) => {
    lastMs = Math.min(Math.max(atMs, lastMs), heardMs);
    return lastMs;
  };
}

/** The journal has an entry for each time that a worker took the work up again. */
export function noteBegunAgain(run: Run, path: string, begun: readonly number[] = []): void {
  for (const atMs of begun.slice(1)) {
    run.journal.add({
      kind: 'step',
      step: run.name(path),
      state: 'running',
      reason: 'begun again: the worker that had it was lost or stopped',
      at: isoTime(atMs),
    });
  }
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** A worker's times, by a clock that is good for all of them. */
export function byClock({ begun }: Begins, clock: (atMs: number) => number): Begins {
  return begun ? { begun: begun.map(clock) } : {};
}
