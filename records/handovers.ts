/**
 * What workers hand over as they stop, over all that share a store: for a while it is for workers that have begun since then. In a rolling
 * restart those are the ones that go on; the others are about to be stopped, too.
 *
 * Asks of the store: a date for what is written, by one clock for all who share it; and listing by prefix. Nothing of it need survive a crash. Fails with
 * `store.unavailable`.
 *
 * Invariants: 1. no clock of a host counts: what is compared are times that the store gave; 2. whatever becomes of the workers, anyone may take a
 * work after `YOUNGER_FIRST_MS`.
 */
export interface Handovers {
  /** Notes that this worker stops. Workers that begin after this moment take over its work. */
  stopping(): Promise<void>;
  /** These works have not ended. */
  handOver(works: readonly string[]): Promise<void>;
  /** Whether a work is for workers that have begun later than this one. */
  isForYounger(work: string): Promise<boolean>;
}

/** A worker that is restarted is back by then; one that is not costs its work this much. */
export const YOUNGER_FIRST_MS = 15_000;
