import { isSettled, type StepState } from '../../../plan/run/status';
import type { ControlStep } from '../../../plan/steps/control';
import { dependencies } from '../../../plan/steps/order';
import type { Run } from '../run';
import type { StepRecord } from '../state/step-record';
import { conditionHolds, readsStepStates } from '../steps/expression-scope';
import { type Frame, frameKey, isContainerPlace, type Place } from './place';
import type { Slots } from './slots';

/**
 * Decides which step of a block starts when: order, dependencies, conditions and how many at once. It knows nothing of what a
 * step does.
 *
 * Invariants: 1. a step starts only when all it depends on is settled in its current round; one that an earlier run has done, behind
 * a gate that is asked again, counts as settled only then; 2. starting or settling a step costs time in proportion to its own
 * dependents, so that a run of ten thousand steps is linear; 3. steps that become ready together start in the plan's order.
 */
export interface Scheduler {
  /** Takes up what state says: running and waiting steps continue, ready ones start. */
  start(): void;
  /** Starts what may start now. */
  pump(): void;
  /** A step has nothing more to do in its round. */
  settled(place: Place): void;
  /** Steps were set back to pending for another round. */
  restarted(): void;
  /** Nothing that is still pending runs any more. */
  skipRest(): void;
  /** The places that have begun and are not settled, and those that could begin now. */
  upcoming(): readonly Place[];
  /** Whether something could start but for the number of steps in flight. */
  readonly hungry: boolean;
}

export type StartDecision = { start: true } | { start: false; reason: string };

/** What a scheduler asks of its surroundings. */
export interface SchedulerPort {
  slots: Slots;
  /** Of this block alone. */
  limit?: number;
  /** One that has not begun. */
  startStep(place: Place, decision: StartDecision): void;
  /** One that has begun, in an execution before this one. */
  takeUpStep(place: Place): void;
  /** Gets each step that has settled, before others start. */
  settled?(place: Place): void;
  /** All is settled. */
  done(): void;
}

export function createScheduler(run: Run, frame: Frame, port: SchedulerPort): Scheduler {
  const { places } = frame;
  const { order } = frame.block;
  const needs = dependencies(frame.block);
  const position = new Map(places.map((place, i) => [place.step.id, i]));
  const dependents = new Map<string, Place[]>();
  for (const place of places) {
    for (const id of needs.get(place.step.id) ?? []) {
      const list = dependents.get(id);
      if (list) list.push(place);
      else dependents.set(id, [place]);
    }
  }
  /** Dependencies of each pending step that are not settled. */
  let missing = new Map<string, number>();
  let unsettled = 0;
  /** Positions of the steps that may start, the first of them last: that is where an array is shortened at no cost. */
  let ready: number[] = [];
  /** Ids of steps that an earlier run has done, and that count for nothing until a gate before them has been asked again. */
  let resting = new Set<string>();
  /** Positions of those that have begun and are not settled, by path. */
  const active = new Map<string, number>();
  let pumping = false;

  function stateOf(id: string): StepState {
    const place = places[position.get(id) ?? -1];
    return (place && !resting.has(id) && run.state.records[place.path]?.state) || 'pending';
  }

  function recount(): void {
    missing = new Map();
    unsettled = 0;
    ready = [];
    resting = new Set(places.flatMap(({ path, step }) => (run.state.records[path]?.carried?.waits ? [step.id] : [])));
    places.forEach(({ step }, i) => {
      const state = stateOf(step.id);
      if (isSettled(state)) return;
      unsettled += 1;
      if (state !== 'pending') return;
      const open = (needs.get(step.id) ?? []).filter((id) => !isSettled(stateOf(id))).length;
      missing.set(step.id, open);
      if (open === 0) ready.push(i);
    });
    ready.reverse();
  }

  function offer(at: number): void {
    let [from, to] = [0, ready.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((ready[middle] ?? 0) > at) from = middle + 1;
      else to = middle;
    }
    ready.splice(from, 0, at);
  }

  function decide(step: ControlStep): StartDecision {
    if (run.state.skipRest.includes(frameKey(frame))) return { start: false, reason: 'the rest was skipped' };
    const asksStates = step.when !== undefined && readsStepStates(step.when);
    if (order === 'graph' && !asksStates) {
      const gone = (needs.get(step.id) ?? []).find((id) => stateOf(id) !== 'done');
      if (gone !== undefined) return { start: false, reason: `${gone} was ${stateOf(gone)}` };
    }
    if (step.when && !conditionHolds(run, step.when, frame)) return { start: false, reason: 'its condition is false' };
    return { start: true };
  }

  function mayStart(): boolean {
    return port.slots.free && active.size < (port.limit ?? Number.POSITIVE_INFINITY);
  }

  const scheduler: Scheduler = {
    get hungry() {
      return ready.length > 0;
    },
    upcoming() {
      const begun = [...active.values()].sort((one, other) => one - other);
      return [...begun, ...ready.toReversed()].flatMap((at) => places[at] ?? []);
    },
    start() {
      recount();
      // What a step taken up here does at once may call `pump`: nothing new starts before all are taken up.
      pumping = true;
      for (const [at, place] of places.entries()) {
        const state = run.state.records[place.path]?.state;
        if (state === 'running' || state === 'waiting' || state === 'held') {
          active.set(place.path, at);
          if (state === 'running' && !isContainerPlace(place.step)) port.slots.take(place.path);
          port.takeUpStep(place);
        }
      }
      pumping = false;
      scheduler.pump();
    },
    pump() {
      // A skipped step settles at once and calls back in here: the loop below sees what it made ready.
      if (pumping || frame.closed) return;
      pumping = true;
      if (unsettled > 0) run.drainIfDue();
      while (ready.length > 0 && mayStart() && !run.halted && !run.ending && !frame.closed) {
        const at = ready.pop() ?? 0;
        const place = places[at];
        if (!place) break;
        if (resting.delete(place.step.id)) {
          waitsNoMore(run.record(place.path));
          scheduler.settled(place);
          continue;
        }
        const decision = decide(place.step);
        if (decision.start) {
          active.set(place.path, at);
          if (!isContainerPlace(place.step)) port.slots.take(place.path);
        }
        port.startStep(place, decision);
      }
      pumping = false;
      if (unsettled === 0 && !frame.closed) port.done();
    },
    settled(place) {
      active.delete(place.path);
      unsettled -= 1;
      for (const next of dependents.get(place.step.id) ?? []) {
        const left = (missing.get(next.step.id) ?? 0) - 1;
        missing.set(next.step.id, left);
        if (left === 0) offer(position.get(next.step.id) ?? 0);
      }
      port.settled?.(place);
      scheduler.pump();
    },
    restarted() {
      for (const path of [...active.keys()]) if (run.state.records[path]?.state === 'pending') active.delete(path);
      recount();
      scheduler.pump();
    },
    skipRest() {
      run.state.skipRest.push(frameKey(frame));
    },
  };
  return scheduler;
}

/** The gate before it has been asked again: what an earlier run has done counts. */
function waitsNoMore(record: StepRecord): void {
  if (!record.carried) return;
  const { waits: _over, ...carried } = record.carried;
  record.carried = carried;
}
