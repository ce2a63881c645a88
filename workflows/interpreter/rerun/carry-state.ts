import { isContainer } from '../../../kinds/questions';
import { isWithin } from '../../../plan/steps/address';
import type { ControlStep } from '../../../plan/steps/control';
import { hasParts, runsInTurns } from '../../../plan/steps/walk';
import type { Run } from '../run';
import { containerPath, type Frame, frameIn, makeFrame, type Place, partsFrame } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import type { CarryStart } from './carry-start';

/** The wishes of a rerun, and what it carries over so far. */
export interface CarryState {
  run: Run;
  start: CarryStart;
  /** Steps that read a changed value, by id, and that value. */
  changed: ReadonlyMap<string, string>;
  /** Ids of steps that must run again. */
  forced: ReadonlySet<string>;
  /** Gates that are asked again, by path, and why. Work after them stays done. */
  asked: ReadonlyMap<string, string>;
  /** Paths of steps that run again because they read the answer to such a gate. */
  readers: ReadonlySet<string>;
  records: Record<string, StepRecord>;
  /** Paths of steps that run again because of something before them. */
  behind: Set<string>;
  /** Paths of those that run again for their own sake, or for something within them. */
  reopened: Set<string>;
  notes: string[];
}

export function isCarried({ records }: Pick<CarryState, 'records'>, path: string): boolean {
  return records[path]?.carried !== undefined;
}

/** Whether a path is one of some, or is within one of them. */
export function isAtOrWithin(path: string, some: { has(path: string): boolean }): boolean {
  for (let outer: string | undefined = path; outer !== undefined; outer = containerPath(outer)) if (some.has(outer)) return true;
  return false;
}

/** Whether one of some paths is within a container. */
export function holdsAny(container: string, some: Iterable<string>): boolean {
  for (const path of some) if (isWithin(path, container)) return true;
  return false;
}

/** Finds places by their paths; there is one for each frame. */
export function placeFinder({ plan, steps }: Pick<Run, 'plan' | 'steps'>): (path: string) => Place | undefined {
  const frames = new Map<string, Frame>([['', makeFrame({ block: plan.block, kind: 'run' })]]);
  const frameOf = (path: string): Frame | undefined => {
    const prefix = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const outer = containerPath(path);
    const container = outer === undefined ? undefined : find(outer);
    const isNumbered = container !== undefined && runsInTurns<ControlStep>(container.step);
    const key = isNumbered ? prefix : (outer ?? '');
    const known = frames.get(key);
    if (known || !container) return known;
    const frame = frameWithin(container, isNumbered ? Number(prefix.slice(container.path.length + 1, -1)) : undefined);
    if (frame) frames.set(key, frame);
    return frame;
  };
  const placesIn = new Map<Frame, Map<string, Place>>();
  const find = (path: string): Place | undefined => {
    const frame = frameOf(path);
    if (!frame) return undefined;
    const places = placesIn.get(frame) ?? new Map(frame.places.map((place) => [place.path, place]));
    placesIn.set(frame, places);
    return places.get(path);
  };
  return (path) => (steps.has(path.slice(path.lastIndexOf('/') + 1)) ? find(path) : undefined);
}

function frameWithin(container: Place, iteration: number | undefined): Frame | undefined {
  const { step } = container;
  if (runsInTurns<ControlStep>(step) && iteration === undefined) return undefined;
  if (hasParts<ControlStep>(step)) return partsFrame(container, step.parts, iteration ?? 1);
  if (!isContainer(step)) return undefined;
  return frameIn({ ...container, step }, iteration);
}
