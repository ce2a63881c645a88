import { Cancelled } from '../../run-context';
import type { Run } from '../run';
import { isSuperseded, type Place } from './place';

/**
 * How much is in flight at once, over all blocks of a run: steps, by their paths, and spawned children, by their ids. A place that gives
 * its slot away while it waits lets others go first, and takes one again, over the limit if need be, when it continues.
 */
export interface Slots {
  take(key: string): void;
  give(key: string): void;
  /** Others may use its slot for a while; then it has it back, over the limit if need be. */
  lend(key: string, lends: boolean): void;
  /** Waits for a slot, and takes it; who waits so goes before steps that have not begun, in the order of asking. */
  turn(run: Run, key: string, place: Place): Promise<void>;
  readonly free: boolean;
}

export function createSlots(limit: number): Slots {
  const taken = new Set<string>();
  const lent = new Set<string>();
  const waiting = new Map<string, () => void>();
  const isFree = () => taken.size - lent.size < limit;

  function handOn(): void {
    for (const [key, granted] of waiting) {
      if (!isFree()) return;
      waiting.delete(key);
      taken.add(key);
      granted();
    }
  }

  return {
    take: (key) => taken.add(key),
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
      if (isFree()) {
        taken.add(key);
        return;
      }
      waiting.set(key, () => run.wake(slotWakeKey(key)));
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
  };
}

export function slotWakeKey(key: string): string {
  return `slot:${key}`;
}
