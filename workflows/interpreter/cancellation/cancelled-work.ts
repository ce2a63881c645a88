import { ThermidorFailure } from '../../../plan/run/failure';
import { isWithin } from '../../../plan/steps/address';
import type { StepOutput } from '../../../plan/steps/step-activity';
import type { Run } from '../run';
import type { CancelledWork } from '../state/cancelled-work';
import { CANCEL_WAIT_MS, LOOK_UP_MS, SHORT_ACTIVITY_MS } from '../steps/activity-timeouts';

/**
 * Cancelled work may still be done: its worker died before it could report, or reported too late. The ledger knows, and is asked once the
 * work has stopped.
 *
 * Invariants: 1. noted work is in state until it is looked up, so an execution that closes leaves it to the next; 2. one local activity
 * looks up many; 3. the look-up is given up after `LOOK_UP_MS`: a ledger that does not answer delays no run, and the step stays unchanged.
 */
export interface CancelledWorkLookup {
  /** Looks it up in the background, once `releaseWhileWaiting` has settled. */
  note(work: readonly CancelledWork[], whenStopped: () => Promise<void>): void;
  /** Looks up what an earlier execution had no time for. Its activities have ended with it. */
  resume(): void;
  /** Settles, before long, when cancelled work within a container is looked up. Undefined if that is done already. */
  keep(work: readonly CancelledWork[]): void;
  /** The results that are found become the step's. */
  pendingWithin(container: string): Promise<unknown> | undefined;
  /** Looks up all that is noted, now. */
  lookUp(): Promise<void>;
  /** What is found of it becomes the step's. */
  take: TakeRecovered;
}

/** What the ledger has of work: its result, or when it was begun and begun again, or why it does not answer. */
export type Recovered = { output: StepOutput } | { begun: readonly number[] } | { problem: string };
export type TakeRecovered = (work: CancelledWork, found: Recovered) => void;

/** The limit of one activity's input, and of what it reads at once. */
const LOOKED_UP_AT_ONCE = 200;

export function createCancelledWorkLookup(run: Run, take: TakeRecovered): CancelledWorkLookup {
  const { ctx, state } = run;
  const pending = new Set<{ paths: string[]; looked: Promise<void> }>();

  async function ask(work: readonly CancelledWork[]): Promise<void> {
    for (let left = work; left.length > 0; ) {
      const calls = left.slice(0, LOOKED_UP_AT_ONCE).map(({ call, kind }) => ({ call, kind }));
      const { done, begun, looked } = await ctx.activity(
        'recorded',
        { run: ctx.info.firstRunId, calls },
        { local: true, kept: true, startToCloseMs: SHORT_ACTIVITY_MS, scheduleToCloseMs: LOOK_UP_MS },
      );
      for (const one of left.slice(0, looked)) {
        const [output, times] = [done[one.call], begun?.[one.call]];
        if (output) take(one, { output });
        else if (times) take(one, { begun: times });
      }
      left = left.slice(looked);
    }
  }

  async function lookUp(work: readonly CancelledWork[]): Promise<void> {
    try {
      await ask(work);
    } catch (error) {
      if (!(error instanceof ThermidorFailure)) throw error;
      for (const one of work) take(one, { problem: error.message });
      return;
    }
    const left = state.cancelledWork?.filter((one) => !work.includes(one)) ?? [];
    if (left.length > 0) state.cancelledWork = left;
    else delete state.cancelledWork;
  }

  function keep(work: readonly CancelledWork[]): boolean {
    if (work.length === 0) return false;
    state.cancelledWork = [...(state.cancelledWork ?? []), ...work];
    return true;
  }

  function later(work: readonly CancelledWork[], whenStopped: () => Promise<void>): void {
    const looked = whenStopped().then(() => lookUp(work));
    const entry = { paths: work.map(({ path }) => path), looked };
    pending.add(entry);
    run.background(() => looked.finally(() => pending.delete(entry)));
  }

  return {
    take,
    keep,
    resume() {
      if (state.cancelledWork) later(state.cancelledWork, () => Promise.resolve());
    },
    note(work, whenStopped) {
      if (keep(work)) later(work, whenStopped);
      else run.background(whenStopped);
    },
    pendingWithin(container) {
      const within = [...pending].filter(({ paths }) => paths.some((path) => isWithin(path, container)));
      if (within.length === 0) return undefined;
      const patience = ctx.timer(CANCEL_WAIT_MS);
      return Promise.race([Promise.all(within.map(({ looked }) => looked)), patience.promise]).finally(() => patience.cancel());
    },
    async lookUp() {
      if (state.cancelledWork) await lookUp(state.cancelledWork);
    },
  };
}
