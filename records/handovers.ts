/**
 * The work that workers hand over as they stop, over all that share a store: for a while it is reserved for workers that began later. In a
 * rolling restart those are the ones that stay; the others are about to be stopped, too.
 *
 * Requires of the store: a date for what is written, by one clock for all its users; and listing by prefix. None of it need survive a
 * crash. Fails with `store.unavailable`.
 *
 * Invariants: 1. no host's clock counts: only times of the store are compared; 2. whatever happens to the workers, anyone may take the work
 * after `YOUNGER_FIRST_MS`.
 */
export interface Handovers {
  /** Notes that this worker stops. Workers that begin after this moment take over its work. */
  stopping(): Promise<void>;
  /** These works have not ended. */
  handOver(works: readonly string[]): Promise<void>;
  /** Whether work is reserved for workers that began later than this one. */
  isForYounger(work: string): Promise<boolean>;
}

/** A restarted worker is back by then; if it is not, its work loses this much time. */
export const YOUNGER_FIRST_MS = 15_000;
