import type { Cancellable, RunContext } from '../run-context';

/** Wakes sleepers at their moments. */
export interface Alarms {
  /** Wakes `name` at a moment, unless the returned function is called before. */
  set(atMs: number, path: string, name: string): () => void;
  /** Takes back those of the places that it picks. */
  forget(picks: (path: string) => boolean): void;
  /** Takes all of them back, and the timer too. */
  clear(): void;
}

interface Alarm {
  atMs: number;
  path: string;
  name: string;
}

/**
 * All alarms of a run share one timer, for the earliest of them. It keeps running when that alarm is cancelled: most deadlines are kept,
 * and starting and cancelling a timer for each would write two events into history each time. A timer that fires for nothing costs less,
 * and is rare.
 */
export function createAlarms(ctx: Pick<RunContext, 'now' | 'timer'>, wake: (name: string) => void): Alarms {
  const alarms = new Set<Alarm>();
  let timer: (Cancellable<void> & { atMs: number }) | undefined;

  function arm(atMs: number): void {
    if (timer && timer.atMs <= atMs) return;
    timer?.cancel();
    const started = { ...ctx.timer(Math.max(0, atMs - ctx.now())), atMs };
    timer = started;
    started.promise.then(
      () => ring(),
      () => {
        // It was cancelled for an earlier one, or with everything that the run has in progress.
        if (timer === started) timer = undefined;
      },
    );
  }

  function ring(): void {
    timer = undefined;
    const due = [...alarms].filter(({ atMs }) => atMs <= ctx.now());
    for (const alarm of due) {
      alarms.delete(alarm);
      wake(alarm.name);
    }
    if (alarms.size > 0) arm([...alarms].reduce((earliest, { atMs }) => Math.min(earliest, atMs), Number.POSITIVE_INFINITY));
  }

  return {
    set(atMs, path, name) {
      const alarm = { atMs, path, name };
      alarms.add(alarm);
      arm(atMs);
      return () => alarms.delete(alarm);
    },
    forget(picks) {
      for (const alarm of alarms) if (picks(alarm.path)) alarms.delete(alarm);
    },
    clear() {
      alarms.clear();
      timer?.cancel();
      timer = undefined;
    },
  };
}
