import { isApproval } from '../../../kinds/questions';
import { actionsIn, allActions } from '../../../plan/steps/action';
import type { ControlBlock, ControlStep } from '../../../plan/steps/control';
import { dependencies } from '../../../plan/steps/order';
import type { Frame, Place } from '../scheduling/place';
import { readsStepStates } from '../steps/expression-scope';

/**
 * What a decision covers: every step after its gate, up to the next approvals. In a block these are the steps that come after; if the way
 * leads out of the block, those after the container, and so on outwards.
 *
 * Invariants: 1. a cover is never too small: whatever could let the run past an approval unasked (a condition, an `on_error` that
 * continues, an iteration that never begins, another branch) does not end it; 2. a step after the gate that feeds one in the cover is in it
 * as well. Steps in `finally` are in none: they run after a refusal, too.
 */
export interface DecisionCover {
  /** Levels from the gate's own block outwards. */
  levels: CoverLevel[];
  /** The last steps of the run are in it: in a child pipeline, also those after its step. */
  reachesEnd: boolean;
}

export interface CoverLevel {
  /** The gate, or the container around it. */
  from: Place;
  places: readonly Place[];
}

/** Finds covers; each block is looked at once. `asks`: whether the approval of a step is asked in the new run, or is carried into it. */
export function coverFinder(asks: (place: Place) => boolean): (gate: Place) => DecisionCover {
  const known = new Map<Frame, Neighbours>();
  const neighboursIn = (frame: Frame): Neighbours => {
    const found = known.get(frame) ?? neighbours(frame);
    known.set(frame, found);
    return found;
  };
  return (gate) => {
    const levels: CoverLevel[] = [];
    for (let from: Place | undefined = gate; from; from = from.frame.container) {
      if (from !== gate && endsCovers(from, asks)) return { levels, reachesEnd: false };
      const { places, leaves } = behind(from, neighboursIn(from.frame), asks);
      levels.push({ from, places });
      if (!leaves) return { levels, reachesEnd: false };
    }
    return { levels, reachesEnd: true };
  };
}

/** The steps after a place in its own block, and whether the way leads on to those after the block. */
function behind(from: Place, { after, before }: Neighbours, asks: (place: Place) => boolean): { places: Place[]; leaves: boolean } {
  // Only the code knows the order of parts: any may come after this one.
  if (from.frame.kind === 'parts') return { places: from.frame.places.filter((place) => place !== from), leaves: true };
  const covered = new Set<Place>();
  const passed = reach([from], (place) =>
    (after.get(place.step.id) ?? []).filter((next) => {
      const ends = endsCovers(next, asks);
      // The work of a step comes before the approval after it.
      if (!ends || !isApproval(next.step)) covered.add(next);
      return !ends;
    }),
  );
  const leaves = [...passed].some(({ step }) => (after.get(step.id) ?? []).length === 0 || skipsRest(step));
  // Between two steps of a sequence there is no way around.
  if (!leaves && from.frame.block.order === 'sequence') return { places: [...covered], leaves };
  const all = reach([from], (place) => after.get(place.step.id) ?? []);
  const feeding = leaves ? all : reach([...covered], (place) => before.get(place.step.id) ?? []);
  return { places: [...all].filter((place) => place !== from && feeding.has(place)), leaves };
}

/** Whether nothing gets past an approval without its being asked. */
function endsCovers(place: Place, asks: (place: Place) => boolean): boolean {
  const { step, frame } = place;
  const asksApproval = isApproval(step) || step.approval !== undefined;
  return asksApproval && step.when === undefined && !goesOn(step) && !mayBePassedOver(frame.block) && asks(place);
}

function goesOn(step: ControlStep): boolean {
  const lists = ['onError', 'onExhausted', 'onFail', 'onBlocked'] as const;
  return lists
    .flatMap((list) => actionsIn(step, list) ?? [])
    .some(({ kind }) => kind === 'continue' || kind === 'approve' || kind === 'skip' || kind === 'skip_rest');
}

/** In a graph a step is skipped if one before it was, and others may still run. */
function mayBePassedOver({ order, steps }: ControlBlock): boolean {
  return order === 'graph' && steps.some(({ when }) => when !== undefined && readsStepStates(when));
}

function skipsRest(step: ControlStep): boolean {
  return allActions(step).some(({ kind }) => kind === 'skip_rest');
}

/** The places of a block, by the id of a step, that come directly after it, and directly before. */
interface Neighbours {
  after: Map<string, Place[]>;
  before: Map<string, Place[]>;
}

function neighbours({ block, places }: Frame): Neighbours {
  const byId = new Map(places.map((place) => [place.step.id, place]));
  const after = new Map<string, Place[]>();
  const before = new Map<string, Place[]>();
  for (const [id, needs] of dependencies(block)) {
    const place = byId.get(id);
    for (const need of needs) {
      const other = byId.get(need);
      if (!place || !other) continue;
      append(after, need, place);
      append(before, id, other);
    }
  }
  return { after, before };
}

function append(lists: Map<string, Place[]>, key: string, place: Place): void {
  const list = lists.get(key);
  if (list) list.push(place);
  else lists.set(key, [place]);
}

/** All that is reached from some places, these included. */
function reach(from: readonly Place[], next: (place: Place) => readonly Place[]): Set<Place> {
  const found = new Set(from);
  for (const place of found) for (const other of next(place)) found.add(other);
  return found;
}
