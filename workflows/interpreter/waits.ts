import { type Cancellable, Cancelled, type RunContext } from '../run-context';
import { createAlarms } from './alarms';
import { type Deferred, deferred } from './scheduling/deferred';
import { isWithinAny } from './scheduling/place';

/**
 * The coroutines of a run, and what they wait for.
 *
 * Invariants: 1. a coroutine waits from the call until the awaited event has come, not until its code continues: an execution that closed
 * in between would lose the event; 2. `allWait` is called each time that the last coroutine that did not wait begins to, or ends.
 */
export interface Waits {
  /** Counts a coroutine from here on. The result says that it is over. */
  begin(): () => void;
  /** Whether every coroutine waits. */
  readonly all: boolean;
  /** Waits for something that other coroutines bring about. Counts as a wait: state must say how to get here again. */
  parked<T>(promise: Promise<T>): Promise<T>;
  /** Waits for `wake(name)`; the caller checks the state for the cause. Rejects when the run, or an enclosing frame, ends. */
  sleepUntilWoken(name: string, path?: string): Promise<void>;
  wake(name: string): void;
  /** Waits as the run ends, when nothing else waits any more. */
  sleepToTheEnd(name: string): Promise<void>;
  /** Waits until a moment, or for `wake(name)`; true if the moment came. */
  until(atMs: number, path: string, name?: string): Promise<boolean>;
  /** Wakes `name` at a moment, unless the returned function is called before. It is no wait, and costs no timer of its own. */
  alarm(atMs: number, path: string, name: string): () => void;
  /** Ends every wait within a container; `itself`: and its own. */
  interrupt(containers: string | readonly string[], itself?: 'itself'): void;
  /** Interrupts everything. */
  interruptAll(): void;
}

interface Wait {
  over: boolean;
}

interface Sleeper {
  path: string | undefined;
  woken: Deferred<void>;
  /** The waits that end when it is woken. */
  waits: Wait[];
}

export function createWaits(ctx: RunContext, allWait: () => void): Waits {
  const timers = new Map<Cancellable<void>, { path: string; wait: Wait }>();
  const sleepers = new Map<string, Sleeper>();
  const alarms = createAlarms(ctx, wake);
  let coroutines = 0;
  let waiting = 0;

  function noteAll(): void {
    if (waiting === coroutines) allWait();
  }

  function sleeper(name: string, path?: string, wait?: Wait): Promise<void> {
    const known = sleepers.get(name) ?? { path, woken: deferred<void>(), waits: [] };
    sleepers.set(name, known);
    if (wait) known.waits = [...known.waits.filter(({ over }) => !over), wait];
    return known.woken.promise;
  }

  function end(wait: Wait): void {
    if (!wait.over) waiting -= 1;
    wait.over = true;
  }

  async function waitFor<T>(promise: Promise<T>, wait: Wait): Promise<T> {
    waiting += 1;
    noteAll();
    try {
      return await promise;
    } finally {
      end(wait);
    }
  }

  /** Rejects the waits that a test picks. */
  function interrupt(picks: (path: string | undefined) => boolean): void {
    alarms.forget(picks);
    for (const [timer, { path, wait }] of [...timers]) {
      if (!picks(path)) continue;
      end(wait);
      timer.cancel();
    }
    for (const [name, { path, woken, waits }] of [...sleepers]) {
      if (!picks(path)) continue;
      sleepers.delete(name);
      waits.forEach(end);
      woken.reject(new Cancelled());
    }
  }

  function wake(name: string): void {
    const known = sleepers.get(name);
    sleepers.delete(name);
    known?.waits.forEach(end);
    known?.woken.resolve();
  }

  return {
    begin() {
      coroutines += 1;
      return () => {
        coroutines -= 1;
        noteAll();
      };
    },
    get all() {
      return waiting === coroutines;
    },
    parked: (promise) => waitFor(promise, { over: false }),
    sleepUntilWoken(name, path) {
      const wait = { over: false };
      return waitFor(sleeper(name, path, wait), wait);
    },
    sleepToTheEnd: (name) => sleeper(name),
    wake,
    async until(atMs, path, name) {
      const timer = ctx.timer(atMs - ctx.now());
      const wait = { over: false };
      timers.set(timer, { path, wait });
      try {
        const due = timer.promise.then(() => {
          end(wait);
          return true;
        });
        return await waitFor(name === undefined ? due : Promise.race([due, sleeper(name, path, wait).then(() => false)]), wait);
      } finally {
        timers.delete(timer);
        timer.cancel();
      }
    },
    alarm: alarms.set,
    interrupt: (containers, itself) => interrupt((path) => path !== undefined && isWithinAny(path, containers, itself)),
    interruptAll() {
      interrupt(() => true);
      alarms.clear();
    },
  };
}
