import type { Run } from '../run';

export interface Deadline {
  /** Waits for `wake(sleeper)`, or until the moment comes. The caller looks which it was. */
  wait(dueMs: number | undefined): Promise<unknown>;
  /** Nothing waits for it any more. */
  close(): void;
}

export function isPast({ ctx }: Run, dueMs: number | undefined): boolean {
  return dueMs !== undefined && ctx.now() >= dueMs;
}

/**
 * A deadline. `many` waits share a timer that stays while they come and go, such as those for one branch after the other; a single one has
 * its own.
 */
export function openDeadline(run: Run, path: string, sleeper: string, oneOf?: 'many'): Deadline {
  let alarm: { atMs: number; unset: () => void } | undefined;
  return {
    // Each promise in workflow code costs a stack trace: this makes none of its own.
    wait(dueMs) {
      if (dueMs === undefined) return run.sleepUntilWoken(sleeper, path);
      if (!oneOf) return run.until(dueMs, path, sleeper);
      if (alarm?.atMs !== dueMs) {
        alarm?.unset();
        alarm = { atMs: dueMs, unset: run.alarm(dueMs, path, sleeper) };
      }
      return run.sleepUntilWoken(sleeper, path);
    },
    close() {
      alarm?.unset();
    },
  };
}
