import { isSettled, isUnderWay, type StepState } from '../../../plan/run/step-state';
import type { ControlStep } from '../../../plan/steps/control';
import { orderOf } from '../../../plan/steps/order';
import type { Run } from '../run';
import type { StepRecord } from '../state/step-record';
import { endElsewhere } from './branch-waits';
import { createPendingSteps } from './pending-steps';
import { type Frame, frameKey, isContainerPlace, type Place } from './place';
import type { Slots } from './slots';
import { decideStart, type StartDecision, streamOf } from './start-decision';

/**
 * Decides which step of a block starts when: order, dependencies, conditions and how many at once. It does not know the work of a step.
 *
 * Invariants: 1. a step starts only when all its dependencies are settled in their current round, in other branches too, and a loop over a
 * stream when that is begun; a step that an earlier run has done, after a gate that is asked again, counts as settled only then; 2.
 * starting, settling or restarting a step costs time proportional to its own neighbours, so that a run of ten thousand steps is linear; 3.
 * steps that become ready together start in the plan's order.
 */
export interface Scheduler {
  /** Takes up the state: running and waiting steps continue, ready ones start. */
  start(): void;
  /** Starts everything that may start now. */
  pump(): void;
  /** A step has nothing more to do in its round. */
  settled(place: Place): void;
  /** These were set back to pending for another round, or are taken up again. */
  restarted(again: readonly Place[]): void;
  /** Steps that these wait for in other blocks may have settled, or begun again. The caller starts what is ready. */
  recount(ids: ReadonlySet<string>): void;
  /** Starts one that runs only when called. */
  call(place: Place): void;
  /** No pending step runs any more. */
  skipRest(): void;
  /** The places that have begun and are not settled, and those that could begin now. */
  upcoming(): readonly Place[];
  /** Whether something could start but for the number of steps in flight. */
  readonly hungry: boolean;
}

/** A scheduler's view of its surroundings. */
export interface SchedulerPort {
  slots: Slots;
  /** The limit of this block alone. */
  limit?: number;
  /** Starts one that has not begun. */
  startStep(place: Place, decision: StartDecision): void;
  /** Continues one that has begun in an earlier execution. */
  takeUpStep(place: Place): void;
  /** Gets the steps whose state may have changed, before anything starts. */
  changed?(places: readonly Place[]): void;
  /** Gets each step that has settled, before others start. */
  settled?(place: Place): void;
  /** All is settled. */
  done(): void;
}

export function createScheduler(run: Run, frame: Frame, port: SchedulerPort): Scheduler {
  const { places } = frame;
  const { needsOf, dependents, position } = orderOf(frame.block);
  const pending = createPendingSteps(position);
  /** Ids of steps that count as settled for their dependents. */
  const settled = new Set<string>();
  /** Ids of steps that an earlier run has done, and that count for nothing until a gate before them has been asked again. */
  const resting = new Set<string>();
  /** Positions of those that have begun and are not settled, by path. */
  const active = new Map<string, number>();
  let pumping = false;
  const hasReaders = places.some(({ step }) => 'stream' in step);

  function stateOf(id: string): StepState {
    const place = places[position(id)];
    return (place && !resting.has(id) && run.state.records[place.path]?.state) || 'pending';
  }

  /** Counts places whose state may have changed, and what waits for them. */
  function count(changed: readonly Place[]): void {
    const ids = new Set(changed.map(({ step }) => step.id));
    for (const { path, step } of changed) {
      if (run.state.records[path]?.carried?.waits) resting.add(step.id);
      else resting.delete(step.id);
      const was = settled.has(step.id);
      if (isSettled(stateOf(step.id)) === was) continue;
      if (was) settled.delete(step.id);
      else settled.add(step.id);
      for (const next of dependents(step.id)) {
        if (ids.has(next) || !pending.has(next)) continue;
        pending.expect(next, producerOf(next) === step.id ? missingOf(next) : (pending.missing(next) ?? 0) + (was ? 1 : -1));
      }
    }
    // In reverse order, because ready ones are added at the end of the list, where it costs nothing.
    for (const { step } of changed.toReversed()) {
      if (stateOf(step.id) === 'pending') pending.expect(step.id, missingOf(step.id));
      else pending.expect(step.id, undefined);
    }
    port.changed?.(changed);
  }

  function missingOf(id: string): number {
    let count = 0;
    for (const before of needsOf(id)) if (!settled.has(before) && !(before === producerOf(id) && isAtWork(before))) count += 1;
    for (const awaited of awaitsOf(id)) if (endElsewhere(run, frame, awaited) === undefined) count += 1;
    return count;
  }

  /** The producer of a loop's items: the loop waits for its beginning. */
  function producerOf(id: string): string | undefined {
    const step = places[position(id)]?.step;
    return step && streamOf(step);
  }

  function isAtWork(id: string): boolean {
    const record = run.state.records[places[position(id)]?.path ?? ''];
    return record !== undefined && isUnderWay(record.state);
  }

  /** A step has begun: so may the loop over its items. */
  function startReader({ id, emits }: ControlStep): void {
    if (!emits) return;
    for (const next of dependents(id)) if (producerOf(next) === id && pending.has(next)) pending.expect(next, missingOf(next));
  }

  /** Steps of other branches for which one waits. */
  function awaitsOf(id: string): readonly string[] {
    return places[position(id)]?.step.awaits ?? [];
  }

  /** Counts all places, none of which is known yet; returns the positions of begun, unsettled ones. */
  function countAll(): number[] {
    const begun: number[] = [];
    const notBegun: string[] = [];
    for (const [at, { path, step }] of places.entries()) {
      const record = run.state.records[path];
      const rests = record?.carried?.waits !== undefined;
      if (rests) resting.add(step.id);
      const state = record && !rests ? record.state : 'pending';
      if (state === 'pending') notBegun.push(step.id);
      else if (isSettled(state)) settled.add(step.id);
      if (record && isUnderWay(record.state)) begun.push(at);
    }
    // From the last on, as in `count`.
    for (const id of notBegun.toReversed()) pending.addFirst(id, missingOf(id));
    return begun;
  }

  /**
   * The first ready one that may start. A loop over a stream needs no place in flight: its producer, which waits for it, may have the last.
   */
  function nextReady(): number | undefined {
    if (mayStart()) return firstThatSuits();
    return hasReaders ? pending.ready.findLast((at) => producerOf(places[at]?.step.id ?? '') !== undefined) : undefined;
  }

  function firstThatSuits(): number | undefined {
    const suits = (at: number) => {
      const place = places[at];
      return place === undefined || port.slots.suits(place);
    };
    return pending.ready.findLast(suits);
  }

  function mayStart(): boolean {
    return port.slots.free && active.size < (port.limit ?? Number.POSITIVE_INFINITY);
  }

  const scheduler: Scheduler = {
    get hungry() {
      return pending.ready.length > 0;
    },
    upcoming() {
      const begun = [...active.values()].sort((one, other) => one - other);
      return [...begun, ...pending.ready.toReversed()].flatMap((at) => places[at] ?? []);
    },
    start() {
      const begun = countAll();
      // A step taken up here may call `pump` at once: nothing new starts before all are taken up.
      pumping = true;
      for (const at of begun) {
        const place = places[at];
        const record = place && run.state.records[place.path];
        if (!record || !isUnderWay(record.state)) continue;
        active.set(place.path, at);
        if (record.state === 'running' && !isContainerPlace(place.step)) port.slots.take(place.path, place);
        port.takeUpStep(place);
      }
      pumping = false;
      scheduler.pump();
    },
    pump() {
      // A skipped step settles at once and calls back in here: the loop below sees what it made ready.
      if (pumping || frame.closed) return;
      pumping = true;
      if (settled.size < places.length) run.drainIfDue();
      while (pending.ready.length > 0 && !run.halted && !run.ending && !frame.closed) {
        const place = places[nextReady() ?? -1];
        if (!place || run.isHeldUp(place)) break;
        const at = position(place.step.id);
        pending.expect(place.step.id, undefined);
        if (resting.delete(place.step.id)) {
          waitsNoMore(run.record(place.path));
          scheduler.settled(place);
          continue;
        }
        const decision = decideStart(run, frame, place.step, stateOf);
        if (decision.start) {
          active.set(place.path, at);
          if (!isContainerPlace(place.step)) port.slots.take(place.path, place);
        }
        port.startStep(place, decision);
        if (decision.start) startReader(place.step);
      }
      pumping = false;
      if (settled.size === places.length && !frame.closed) port.done();
    },
    settled(place) {
      active.delete(place.path);
      count([place]);
      port.settled?.(place);
      scheduler.pump();
    },
    restarted(again) {
      for (const { path } of again) if (run.state.records[path]?.state === 'pending') active.delete(path);
      count(again);
      scheduler.pump();
    },
    recount(ids) {
      for (const id of ids) if (pending.has(id)) pending.expect(id, missingOf(id));
    },
    call(place) {
      pending.expect(place.step.id, undefined);
      active.set(place.path, position(place.step.id));
      port.startStep(place, { start: true });
    },
    skipRest() {
      run.state.skipRest.push(frameKey(frame));
    },
  };
  return scheduler;
}

/** The gate before it has been asked again: the earlier run's work counts. */
function waitsNoMore(record: StepRecord): void {
  if (!record.carried) return;
  const { waits: _over, ...carried } = record.carried;
  record.carried = carried;
}
