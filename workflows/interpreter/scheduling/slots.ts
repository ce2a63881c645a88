import { Cancelled } from '../../run-context';
import type { Run } from '../run';
import type { ChildLimit } from './owners-children';
import { isSuperseded, type Place } from './place';

/**
 * How much is in flight at once, over all blocks of a run: steps, by their paths, and spawned children, by their ids; and how many of these
 * are children of the run's owner. A place that gives up its slot while it waits lets others go first, and takes one again, over the limit
 * if need be, when it continues.
 */
export interface Slots {
  take(key: string, place: Place): void;
  give(key: string): void;
  /** Others may use its slot for a while; then it has it back, over the limit if need be. */
  lend(key: string, lends: boolean): void;
  /** Waits for a slot, and takes it; waiters come before steps that have not begun, in the order of asking. */
  turn(run: Run, key: string, place: Place): Promise<void>;
  readonly free: boolean;
  /** Whether a free slot, if there is one, may be used for this place. */
  suits(place: Place): boolean;
}

export function createSlots(limit: number, children: ChildLimit): Slots {
  const taken = new Map<string, Place>();
  const lent = new Set<string>();
  const waiting = new Map<string, { place: Place; granted: () => void }>();
  const isFree = () => taken.size - lent.size < limit;
  const suits = (place: Place) => {
    if (!children.counts(place)) return true;
    const inFlight = [...taken].filter(([key, other]) => !lent.has(key) && children.counts(other));
    return inFlight.length < children.most;
  };

  function handOn(): void {
    for (const [key, { place, granted }] of waiting) {
      if (!isFree()) return;
      if (!suits(place)) continue;
      waiting.delete(key);
      taken.set(key, place);
      granted();
    }
  }

  return {
    take: (key, place) => taken.set(key, place),
    give(key) {
      taken.delete(key);
      lent.delete(key);
      handOn();
    },
    lend(key, lends) {
      if (!lends) lent.delete(key);
      else if (taken.has(key)) {
        lent.add(key);
        handOn();
      }
    },
    async turn(run, key, place) {
      if (isFree() && suits(place)) {
        taken.set(key, place);
        return;
      }
      waiting.set(key, { place, granted: () => run.wake(slotWakeKey(key)) });
      try {
        while (waiting.has(key) && !isSuperseded(place)) await run.sleepUntilWoken(slotWakeKey(key), place.path);
      } finally {
        waiting.delete(key);
      }
      if (isSuperseded(place)) throw new Cancelled();
    },
    get free() {
      return isFree();
    },
    suits,
  };
}

export function slotWakeKey(key: string): string {
  return `slot:${key}`;
}
