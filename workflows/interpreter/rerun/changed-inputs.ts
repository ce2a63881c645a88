import { isGate, isInput } from '../../../kinds/questions';
import { isSettled } from '../../../plan/run/step-state';
import { isWithin } from '../../../plan/steps/address';
import type { ControlStep } from '../../../plan/steps/control';
import { dependencies } from '../../../plan/steps/order';
import { everyStep, runsInTurns } from '../../../plan/steps/walk';
import { containerPath, type Frame, isContainerPlace, type Place } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import { pathById } from '../steps/expression-scope';
import { type CarryState, isAtOrWithin, isCarried, placeFinder } from './carry-state';
import type { DecisionCover } from './decision-cover';
import { readsOfSteps } from './step-reads';

/**
 * Values from outside a decision's cover that may differ from those for which it was made: changed args, and outputs of steps outside the
 * cover that run again, which are unknown until they have run.
 *
 * Invariants: 1. values made within the cover are what was approved; 2. a step that had no output when the decision was made changes
 * nothing, unless a change reaches it.
 */
export interface ChangedInputs {
  /** Why the decision does not hold, in words; undefined if no value from outside has changed. */
  why(gate: Place, cover: DecisionCover): string | undefined;
  /** Whether a step of the cover runs in the new run. */
  runs(cover: DecisionCover): boolean;
}

export function changedInputs(to: CarryState): ChangedInputs {
  const { run } = to;
  const find = placeFinder(run);
  const readsOf = readsOfSteps(run);
  const known = new Map<string, boolean>();
  const needs = new Map<Frame, ReturnType<typeof dependencies>>();
  const needsIn = (frame: Frame): ReturnType<typeof dependencies> => {
    const found = needs.get(frame) ?? dependencies(frame.block);
    needs.set(frame, found);
    return found;
  };
  const runsAgain = ({ path }: Pick<Place, 'path'>): boolean => !isCarried(to, path);

  /** The steps of a place, itself first, that run in the new run. */
  function* stepsRunning({ step, frame }: Place): Generator<ControlStep> {
    for (const one of everyStep<ControlStep>([step])) {
      const path = pathById(run, frame, one.id);
      // An inner loop has further iterations to come.
      if (path === undefined || !isCarried(to, path)) yield one;
    }
  }

  /** What a place and its inner steps wait for and read, by their paths. */
  function* feeds(place: Place): Generator<Feed> {
    const { frame, step } = place;
    for (const id of needsIn(frame).get(step.id) ?? []) {
      const path = pathById(run, frame, id);
      if (path !== undefined) yield { by: step, path, reads: 'nothing' };
    }
    for (const by of stepsRunning(place)) {
      const { steps, decisions } = readsOf(by);
      for (const id of steps) {
        const path = pathById(run, frame, id);
        if (path === undefined || path === place.path || isWithin(path, place.path)) continue;
        yield { by, path, reads: decisions.has(id) ? 'decision' : 'output' };
      }
    }
  }

  /** Whether the output of a step in the new run may differ from the earlier run's. */
  function mayChange(path: string): boolean {
    const before = known.get(path);
    if (before !== undefined) return before;
    const found = leadsToChange(path);
    known.set(path, found);
    return found;
  }

  /** Whether a step that brings a change is anywhere before it. */
  function leadsToChange(path: string): boolean {
    const seen = new Set([path]);
    for (const at of seen) {
      const place = find(at);
      if (!place || !runsAgain(place)) continue;
      if (known.get(at) || hasChanged(place)) return true;
      for (const feed of feeds(place)) {
        if (!to.asked.has(feed.path)) seen.add(feed.path);
        else if (bringsChange(feed)) return true;
      }
    }
    for (const at of seen) known.set(at, false);
    return false;
  }

  function bringsChange({ path, reads }: Feed): boolean {
    const gate = to.asked.has(path) ? find(path) : undefined;
    return gate ? readsAnswer(gate.step, reads) : mayChange(path);
  }

  /** Whether a step that runs again may itself have another result, whatever is before it. */
  function hasChanged(place: Place): boolean {
    const { path, step } = place;
    if (isContainerPlace(step) && path !== to.start.path) {
      for (const [within, record] of Object.entries(run.state.records)) {
        if (isWithin(within, path) && endedAnew(within, record)) return true;
      }
    } else if (hadEnded(run.state.records[path])) return true;
    for (const { id } of stepsRunning(place)) if (to.changed.has(id)) return true;
    return false;
  }

  /** Within a continuing container: whether a step that had ended does its work again. */
  function endedAnew(path: string, record: StepRecord): boolean {
    const step = run.steps.get(path.slice(path.lastIndexOf('/') + 1))?.step;
    if (!step || isContainerPlace(step) || isCarried(to, path)) return false;
    return hadEnded(record) && !(to.asked.has(path) && !isInput(step));
  }

  /** Steps parallel to the way from the gate to the end of a container, whose outputs enter what comes after the container. */
  function beside(from: Place, places: readonly Place[]): string | undefined {
    const { frame } = from;
    const inside = new Set([from, ...places]);
    const other = frame.places.find((place) => !inside.has(place) && mayChange(place.path));
    if (other) return other.path;
    const { container, iteration } = frame;
    if (!container || !runsInTurns<ControlStep>(container.step)) return undefined;
    const own = `${container.path}[${iteration}]`;
    const records = Object.entries(run.state.records);
    return records.find(([path, record]) => isWithin(path, container.path) && !isWithin(path, own) && endedAnew(path, record))?.[0];
  }

  return {
    runs: ({ levels }) => levels.some(({ places }) => places.some(runsAgain)),
    why(gate, { levels }) {
      const covered = new Set([gate.path, ...levels.flatMap(({ places }) => places.map(({ path }) => path))]);
      const around = containersOf(gate.path);
      for (const { from, places } of levels) {
        for (const place of places.filter(runsAgain)) {
          for (const { id } of stepsRunning(place)) {
            const value = to.changed.get(id);
            if (value !== undefined) return `${id} reads ${value}, which has changed`;
          }
          for (const feed of feeds(place)) {
            if (isAtOrWithin(feed.path, covered) || around.has(feed.path) || !bringsChange(feed)) continue;
            return `${feed.by.id} comes after ${run.name(feed.path)}, which runs again`;
          }
        }
        const further = levels.slice(levels.findIndex((level) => level.from === from) + 1);
        const behind = further.flatMap((level) => level.places).find(runsAgain);
        const other = behind && beside(from, places);
        if (behind && other !== undefined) return `${behind.step.id} comes after ${run.name(other)}, which runs again`;
      }
      return undefined;
    },
  };
}

/** One step before another: the other waits for it, and may read its output, or a decision made there. */
interface Feed {
  by: ControlStep;
  path: string;
  reads: 'nothing' | 'output' | 'decision';
}

/** Whether a read of a gate is of its answer. An approval after a step's work is not part of the step's output. */
export function readsAnswer(step: ControlStep, reads: Feed['reads']): boolean {
  return reads === 'decision' || (reads === 'output' && isGate(step));
}

function containersOf(path: string): Set<string> {
  const found = new Set<string>();
  for (let outer = containerPath(path); outer !== undefined; outer = containerPath(outer)) found.add(outer);
  return found;
}

/** Whether a step had an outcome on which others may have acted. One that failed and stopped its block had none. */
function hadEnded(record: StepRecord | undefined): boolean {
  if (!record) return false;
  return (
    record.output?.artifact !== undefined || (isSettled(record.state) && (record.state !== 'failed' || record.error?.tolerated === true))
  );
}
