import { ThermidorFailure } from '../../../plan/run/failure';
import type { StepState } from '../../../plan/run/step-state';
import type { Begins } from '../../../plan/steps/step-activity';
import type { Run } from '../run';

/**
 * When work began and ended, by its worker's clock.
 *
 * Invariant: a worker's clock may be wrong, so none of its times is before the moment in which the run gave out the work, nor after the one
 * in which the run received the result, nor before an earlier reported one. Times of a step are in order, whatever the clocks of its
 * workers say.
 */
export function workClock(run: Pick<Run, 'ctx'>, sinceMs: number): (atMs: number) => number {
  const heardMs = run.ctx.now();
  let lastMs = Math.min(sinceMs, heardMs);
  return (atMs) => {
    lastMs = Math.min(Math.max(atMs, lastMs), heardMs);
    return lastMs;
  };
}

export const BEGUN_AGAIN = 'begun again: the worker that had it was lost or stopped';

/**
 * The journal has an entry for each time that a worker took the work up again. @param state of the step by now, if its end is known already
 */
export function noteBegunAgain(run: Run, path: string, begun: readonly number[] = [], state: StepState = 'running'): void {
  for (const atMs of begun.slice(1)) {
    run.journal.add({
      kind: 'step',
      step: run.name(path),
      state,
      reason: BEGUN_AGAIN,
      at: isoTime(atMs),
    });
  }
}

/** Notes the beginnings of work that an activity of the step's own did. */
export function noteBegins(run: Run, path: string, begins: Begins | undefined): void {
  if (!begins?.begun) return;
  noteBegunAgain(run, path, byClock(begins, workClock(run, run.record(path).times?.startedAtMs ?? run.ctx.now())).begun);
}

/** The work's failure also says when the work had begun. */
export function noteBeginsOfFailure(run: Run, path: string, error: unknown): void {
  if (error instanceof ThermidorFailure) noteBegins(run, path, error.work);
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** A worker's times, by a clock that is good for all of them. */
export function byClock({ begun }: Begins, clock: (atMs: number) => number): Begins {
  return begun ? { begun: begun.map(clock) } : {};
}
