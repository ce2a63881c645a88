import { type Address, formatAddress, shortAddress } from '../../plan/address';
import type { ActivityName, OpenedRun } from '../../plan/contract';
import type { ControlPlan, ControlStep } from '../../plan/control';
import type { FailureCode } from '../../plan/failure';
import {
  type ActivityArgument,
  type ActivityOptions,
  type ActivityResult,
  type Cancellable,
  Cancelled,
  type RunContext,
} from '../run-context';
import { type Deferred, deferred } from './deferred';
import { createJournal, type Journal } from './journal';
import { freshRecord, type RunState, type StepRecord } from './state';

/** How a run ends, or that it goes on in a fresh execution. */
export type Ending =
  | { kind: 'completed' }
  | { kind: 'rejected'; reason: string; step?: string }
  | { kind: 'failed'; code: FailureCode; message: string; step?: string }
  | { kind: 'cancelled'; by?: string }
  | { kind: 'continue' };

/**
 * One execution of a run: the plan, its state, and what is in flight. Everything that must survive continue-as-new is in
 * `state`; the rest is rebuilt from it.
 *
 * Invariants: 1. after `end` no activity starts and every wait rejects with `Cancelled`; 2. while draining no activity
 * starts, and the execution closes once every coroutine waits; 3. at every wait, state says all that the coroutine needs to
 * go on from there in another execution.
 */
export interface Run {
  readonly ctx: RunContext;
  readonly plan: ControlPlan;
  readonly opened: OpenedRun;
  readonly steps: ReadonlyMap<string, ControlStep>;
  readonly state: RunState;
  readonly journal: Journal;
  record(step: string): StepRecord;
  /** The address of a step's current try: the id of its activity. */
  address(step: string): string;
  /** ControlStep and round as people read them. */
  name(step: string): string;
  activity<N extends ActivityName>(name: N, input: ActivityArgument<N>, options: ActivityOptions): Promise<ActivityResult<N>>;
  /** Runs a coroutine of the run. What it throws beside `Cancelled` is a bug and fails the workflow task. */
  spawn(work: () => Promise<void>): void;
  /** Runs what nothing waits for but the end of the run. Must be resumable from state at any time. */
  background(work: () => Promise<void>): void;
  /** Settles when nothing runs in the background. */
  backgroundDone(): Promise<void>;
  /** Waits for `wake(name)`; the caller looks into state for what woke it. Rejects when the run ends. */
  sleepUntilWoken(name: string): Promise<void>;
  wake(name: string): void;
  /** Waits until a moment, or for `wake(name)`; true where the moment came. */
  until(atMs: number, name?: string): Promise<boolean>;
  readonly halted: boolean;
  /** Closes the execution soon, if history is full. */
  drainIfDue(): void;
  end(ending: Ending): void;
  readonly ending: Ending | undefined;
  readonly ended: Promise<void>;
}

/** What `wake` is called with when the run is unpaused. */
export const ADMISSION = 'admission';

export function createRun(ctx: RunContext, opened: OpenedRun, state: RunState): Run {
  const steps = new Map(opened.plan.block.steps.map((step) => [step.id, step]));
  const timers = new Set<Cancellable<void>>();
  const sleepers = new Map<string, Deferred<void>>();
  const ended = deferred<void>();
  const behind = new Set<Promise<void>>();
  let ending: Ending | undefined;
  let draining = false;
  let coroutines = 0;
  let waiting = 0;

  function closeIfDrained(): void {
    if (draining && waiting === coroutines) run.end({ kind: 'continue' });
  }

  async function parked<T>(promise: Promise<T>): Promise<T> {
    waiting += 1;
    closeIfDrained();
    try {
      return await promise;
    } finally {
      waiting -= 1;
    }
  }

  function sleeper(name: string): Promise<void> {
    const known = sleepers.get(name);
    if (known) return known.promise;
    const fresh = deferred<void>();
    sleepers.set(name, fresh);
    return fresh.promise;
  }

  async function admission(): Promise<void> {
    while (run.halted) await run.sleepUntilWoken(ADMISSION);
    if (ending) throw new Cancelled();
  }

  const run: Run = {
    ctx,
    plan: opened.plan,
    opened,
    steps,
    state,
    journal: createJournal(ctx, state.journal),
    get halted() {
      return draining || state.paused !== undefined;
    },
    get ending() {
      return ending;
    },
    ended: ended.promise,
    record(step) {
      const known = Object.hasOwn(state.records, step) ? state.records[step] : undefined;
      if (known) return known;
      const record = freshRecord();
      state.records[step] = record;
      return record;
    },
    address: (step) => formatAddress(addressOf(step, run.record(step))),
    name: (step) => shortAddress({ ...addressOf(step, run.record(step)), try: 1 }),
    activity(name, input, options) {
      // Every promise in workflow code costs a stack trace: the usual way makes none of its own.
      if (!run.halted && !ending) return ctx.activity(name, input, options);
      return admission().then(() => ctx.activity(name, input, options));
    },
    spawn(work) {
      coroutines += 1;
      work().then(
        () => {
          coroutines -= 1;
          closeIfDrained();
        },
        (error: Error) => {
          coroutines -= 1;
          if (error instanceof Cancelled) closeIfDrained();
          else ended.reject(error);
        },
      );
    },
    background(work) {
      const running = work().catch((error: Error) => {
        if (!(error instanceof Cancelled)) ended.reject(error);
      });
      behind.add(running);
      void running.then(() => behind.delete(running));
    },
    async backgroundDone() {
      while (behind.size > 0) await Promise.all(behind);
    },
    sleepUntilWoken(name) {
      if (ending && ending.kind !== 'continue') return Promise.reject(new Cancelled());
      return parked(sleeper(name));
    },
    wake(name) {
      const woken = sleepers.get(name);
      sleepers.delete(name);
      woken?.resolve();
    },
    async until(atMs, name) {
      if (ending && ending.kind !== 'continue') throw new Cancelled();
      if (atMs <= ctx.now()) return true;
      const timer = ctx.timer(atMs - ctx.now());
      timers.add(timer);
      try {
        const due = timer.promise.then(() => true);
        return await parked(name === undefined ? due : Promise.race([due, sleeper(name).then(() => false)]));
      } finally {
        timers.delete(timer);
        timer.cancel();
      }
    },
    drainIfDue() {
      if (draining || ending || !ctx.historyIsFull()) return;
      draining = true;
      closeIfDrained();
    },
    end(how) {
      if (ending && ending.kind !== 'continue') return;
      ending = how;
      if (how.kind !== 'continue') {
        // Those that go on in the next execution stay as they are; these end here.
        for (const timer of [...timers]) timer.cancel();
        for (const waiter of [...sleepers.values()]) waiter.reject(new Cancelled());
        sleepers.clear();
      }
      ended.resolve();
    },
  };
  return run;
}

function addressOf(step: string, record: StepRecord): Address {
  return { path: [{ id: step }], round: record.round, try: record.try };
}
