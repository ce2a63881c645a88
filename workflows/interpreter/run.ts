import type { ActivityName } from '../../plan/run/contract';
import { ThermidorFailure } from '../../plan/run/failure';
import type { OpenedRun } from '../../plan/run/run-activities';
import type { ParentRun } from '../../plan/run/run-input';
import type { StepEnd } from '../../plan/run/step-state';
import { formatAddress, parseAddress, pathIn, shortAddress, stepIdOf } from '../../plan/steps/address';
import type { ControlPlan, ControlStep } from '../../plan/steps/control';
import { upstreamOf } from '../../plan/steps/upstream';
import { type ActivityArgument, type ActivityOptions, type ActivityResult, Cancelled, type RunContext } from '../run-context';
import type { BudgetWaiter, HeldReservation } from './budget/held-reservation';
import { createDrain, type Drain } from './drain';
import type { EndRequest, RunEnding } from './run-ending';
import { deferred } from './scheduling/deferred';
import { pausedFor } from './scheduling/exclusive-turn';
import { isSuperseded, type Place, type PlanPosition, placeAddress, placeLabel, planPositions } from './scheduling/place';
import { itemNameAt } from './state/item-name';
import { createJournal, type Journal } from './state/journal';
import { type RunRecords, recordsOf } from './state/run-records';
import type { InterpreterState } from './state/state';
import { createWaits, type Waits } from './waits';

/** What a run was opened with, including its plan. */
export type WholeRun = OpenedRun & { plan: ControlPlan };

/**
 * One execution of a run: the plan, its state, and what is in flight. Everything that must survive continue-as-new is in
 * `state`; the rest is rebuilt from it.
 *
 * Invariants: 1. after `end` no activity starts and every wait rejects with `Cancelled`; 2. while draining no activity
 * starts, and the execution closes once every coroutine waits (`drain.ts`); 3. at every wait, state says all that the coroutine needs to
 * continue from there in another execution; 4. once a container's frame has closed, 1 holds for everything that was within it.
 */
export interface Run extends RunRecords, Omit<Waits, 'begin' | 'all'> {
  readonly ctx: RunContext;
  readonly plan: ControlPlan;
  readonly opened: Omit<OpenedRun, 'plan'>;
  /** When its first execution started, in milliseconds since the epoch. Of this execution alone nothing counts. */
  readonly startedAtMs: number;
  /** Set for a child pipeline. */
  readonly parent: ParentRun | undefined;
  /** Every step by id, whatever it is within. */
  readonly steps: ReadonlyMap<string, PlanPosition>;
  /** The steps settled before a step begins, nearest first (`plan/steps/upstream.ts`). */
  upstream(id: string): Iterable<ControlStep>;
  readonly state: InterpreterState;
  readonly journal: Journal;
  /** Reservations of budgets, by holder. */
  readonly holdings: Map<string, HeldReservation>;
  /** Waiters for budget, by the key of their reservation. */
  readonly lacking: Map<string, BudgetWaiter>;
  /** The address of a place's current try: the id of its activity. */
  address(path: string): string;
  /** Path and round as people read them. */
  name(path: string): string;
  /** Starts an activity of a place, once the run is not paused. */
  activity<N extends ActivityName>(place: Place, name: N, input: ActivityArgument<N>, options: ActivityOptions): Promise<ActivityResult<N>>;
  /**
   * Runs a coroutine of the run. A `ThermidorFailure` that it throws ends the run; any other error except `Cancelled` is a bug and fails
   * the workflow task.
   */
  spawn(work: () => Promise<void>): void;
  /** Runs work for which only the end of the run waits. Must be resumable from state at any time. */
  background(work: () => Promise<void>): void;
  /** Settles when nothing runs in the background. */
  backgroundDone(): Promise<void>;
  readonly halted: boolean;
  /** Nothing more begins, and the execution closes once the running work has ended. */
  readonly draining: boolean;
  /** Whether an exclusive turn keeps a place from starting anything. */
  isHeldUp(place: Place): boolean;
  /** Waits until it may, and for the end of a pause. */
  admission(place: Place): Promise<void>;
  /** Labels of places that continue although another step has the exclusive turn: they have what it may need, such as a worktree. */
  readonly exempt: Set<string>;
  /** Called as an exclusive turn begins to hold up a place that has begun, and as it no longer does. */
  heldUp: (place: Place, holds: boolean) => void;
  /** Closes the execution soon, if history is full; `when-idle`: at once, if nothing is in progress. */
  drainIfDue: Drain['ifDue'];
  /** Called when the execution begins to drain. */
  drains: () => void;
  /** Called when the execution no longer drains. */
  goesOn: () => void;
  end(ending: EndRequest): void;
  /** What a run with `finally` does instead of ending at once; returns whether it handles the end. */
  beforeEnd: (ending: RunEnding) => boolean;
  readonly ending: EndRequest | undefined;
  readonly ended: Promise<void>;
}

/** The name that `wake` gets when the run is unpaused. */
export const ADMISSION = 'admission';

export function createRun(ctx: RunContext, { plan, ...opened }: WholeRun, state: InterpreterState): Run {
  const ended = deferred<void>();
  const behind = new Set<Promise<void>>();
  let upstream: ReturnType<typeof upstreamOf> | undefined;
  let ending: EndRequest | undefined;
  const waits = createWaits(ctx, () => drain.allWait());
  const drain = createDrain({
    ctx,
    waits,
    hasEnded: () => ending !== undefined,
    begins: () => run.drains(),
    close: () => run.end({ kind: 'continue' }),
    givenUp() {
      waits.wake(ADMISSION);
      run.goesOn();
    },
  });

  async function admission(place: Place): Promise<void> {
    while (run.halted || run.isHeldUp(place)) {
      // Somebody may be waiting for it to end, and would keep the execution from closing.
      if (isSuperseded(place)) throw new Cancelled();
      if (run.isHeldUp(place)) await behindTurn(place);
      else await run.sleepUntilWoken(ADMISSION);
    }
    if (ending || isSuperseded(place)) throw new Cancelled();
  }

  /**
   * Questions of work that is held up. They are asked at once: the step with the turn may itself need the answer, such as more of a budget.
   */
  function isQuestion(name: ActivityName): boolean {
    return name === 'gate';
  }

  async function behindTurn(place: Place): Promise<void> {
    run.heldUp(place, true);
    try {
      await run.sleepUntilWoken(ADMISSION);
    } finally {
      run.heldUp(place, false);
    }
  }

  /** A failure that nothing around it could handle: the run fails with it, and reports that. Any other error is a bug. */
  function failRun(error: Error): void {
    if (error instanceof ThermidorFailure) run.end({ kind: 'failed', code: error.code, message: error.message });
    else ended.reject(error);
  }

  function countEnd(step: string, end: StepEnd): void {
    const path = pathIn(step);
    const { carried } = state.records[path] ?? {};
    // It ended in the run that it was brought over from.
    if (carried && !carried.child) return;
    const address = parseAddress(path);
    const position = address && run.steps.get(stepIdOf(address));
    if (position) ctx.stepEnded?.(position.step.kind, end);
  }

  const run: Run = {
    ...recordsOf(state),
    ctx,
    plan,
    opened,
    startedAtMs: Date.parse(opened.startedAt),
    parent: opened.parent,
    steps: planPositions(plan),
    upstream(id) {
      upstream ??= upstreamOf(plan);
      return upstream(id);
    },
    state,
    journal: createJournal(ctx, state.journal, (address) => itemNameAt(run, address), countEnd),
    holdings: new Map(),
    lacking: new Map(),
    get halted() {
      return drain.isOn || state.paused !== undefined;
    },
    get draining() {
      return drain.isOn;
    },
    isHeldUp: (place) => state.exclusive !== undefined && !run.exempt.has(placeLabel(place)) && pausedFor(state, place) !== undefined,
    admission,
    exempt: new Set(),
    heldUp: () => undefined,
    drains: () => undefined,
    goesOn: () => undefined,
    get ending() {
      return ending;
    },
    ended: ended.promise,
    beforeEnd: () => false,
    address: (path) => formatAddress(placeAddress(path, run.record(path))),
    name: (path) => shortAddress({ ...placeAddress(path, state.records[path] ?? { round: 1, try: 1 }), try: 1 }),
    activity(place, name, input, options) {
      // The awaited event may have come before the round was cancelled: nothing would cancel what begins now.
      if (isSuperseded(place)) return Promise.reject(new Cancelled());
      // Every promise in workflow code costs a stack trace: the usual path makes none of its own.
      if (!run.halted && !ending && (!run.isHeldUp(place) || isQuestion(name)))
        return ctx.activity(name, input, { ...options, within: placeLabel(place) });
      return admission(place).then(() => ctx.activity(name, input, { ...options, within: placeLabel(place) }));
    },
    spawn(work) {
      const over = waits.begin();
      work().then(over, (error: Error) => {
        if (!(error instanceof Cancelled)) failRun(error);
        over();
      });
    },
    background(work) {
      const running = work().catch((error: Error) => {
        if (!(error instanceof Cancelled)) failRun(error);
      });
      behind.add(running);
      void running.then(() => behind.delete(running));
    },
    async backgroundDone() {
      while (behind.size > 0) await Promise.all(behind);
    },
    parked: waits.parked,
    sleepUntilWoken(name, path) {
      if (ending && ending.kind !== 'continue') return Promise.reject(new Cancelled());
      return waits.sleepUntilWoken(name, path);
    },
    sleepToTheEnd: waits.sleepToTheEnd,
    wake: waits.wake,
    until(atMs, path, name) {
      if (ending && ending.kind !== 'continue') return Promise.reject(new Cancelled());
      return atMs <= ctx.now() ? Promise.resolve(true) : waits.until(atMs, path, name);
    },
    alarm: waits.alarm,
    interrupt: waits.interrupt,
    interruptAll: waits.interruptAll,
    drainIfDue: drain.ifDue,
    end(how) {
      if (ending && ending.kind !== 'continue') return;
      if (how.kind !== 'continue' && run.beforeEnd(how)) return;
      ending = how;
      // Waits that continue in the next execution stay; these end here.
      if (how.kind !== 'continue') run.interruptAll();
      ended.resolve();
    },
  };
  return run;
}
