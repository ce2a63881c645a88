import { addRest, type Rest } from '../budget/account-record';
import type { StepContext } from '../context/step-context';
import { childGates, openGates } from '../gates/gate-view';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { isWithinAny, type Place } from '../scheduling/place';
import { deadlineOf } from './run-block';

/** How long a try of a container may take. */
export interface TimeLimit {
  /** When the time is up. Undefined: never, or not as long as it rests. */
  readonly dueMs: number | undefined;
  /** Ends a limit that nobody waits for any more. */
  close(): void;
}

const NONE: TimeLimit = { dueMs: undefined, close: () => undefined };

/**
 * A time limit, counted from the first call. A Lobster file's limit is for its work, as with Lobster, where a call that asks has ended: it
 * is paused while a person is asked within, so that a question is never timed out. `sleeper` is woken when it runs again.
 */
export function timeLimitOf(it: Interpreter, { path, step }: Place, ctx: StepContext, sleeper: string): TimeLimit {
  const { run } = it;
  const atMs = deadlineOf(it, step, ctx);
  if (atMs === undefined) return NONE;
  if (run.plan.dialect !== 'lobster') return { dueMs: atMs, close: () => undefined };
  const rest = ctx.once('rest', (): Rest => ({ forMs: 0 }));
  const close = whileAskedWithin(run, path, (isAsked) => {
    if (addRest(rest, isAsked, run.ctx.now())) run.wake(sleeper);
  });
  return {
    get dueMs() {
      return rest.sinceMs === undefined ? atMs + rest.forMs : undefined;
    },
    close,
  };
}

function isAskedWithin(run: Run, container: string): boolean {
  return [...openGates(run), ...childGates(run)].some(({ path }) => isWithinAny(path, container, 'itself'));
}

const watched = new WeakMap<Run, Set<() => void>>();

/** Calls `note` now, and whenever a question has opened or closed, or the run is paused or goes on. Returns what ends that. */
export function whileAskedWithin(run: Run, container: string, note: (isAsked: boolean) => void): () => void {
  const look = () => note(isAskedWithin(run, container));
  look();
  const looks = watched.get(run) ?? new Set();
  watched.set(run, looks.add(look));
  return () => looks.delete(look);
}

/** A question has opened or closed, or the run is paused or goes on. */
export function restWhileAsked(run: Run): void {
  for (const look of watched.get(run) ?? []) look();
}
