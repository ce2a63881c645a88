/**
 * How many of a pipeline's agents are in flight at once, over all its runs and all workers that share a state folder. A call that finds no
 * free slot waits in line, holds nothing, and is woken when its turn comes.
 *
 * Requires of the store: one change of a pipeline's slots at a time, by a lock or compare-and-set, and listing in the order of names. None
 * of it need survive a crash of the machine. The clocks of its users agree within 30 s.
 *
 * Invariants: 1. first come, first served: nobody passes another in line; 2. a call holds a slot, whichever attempt makes the call;
 * 3. a slot whose holder gives no sign of life is freed, and so is a place in line whose run does not answer, or asks no more.
 */
export interface FleetSlots {
  /** Takes a slot, or a place in line if none is free. `wake`: others whose turn it is, too. */
  take(pipeline: string, call: SlotCall, limit: number): Promise<{ taken: boolean; wake: SlotCall[] }>;
  /** A sign of life. */
  keep(pipeline: string, call: SlotCall): Promise<void>;
  /** Gives a slot back and returns whose turn it is now. */
  give(pipeline: string, call: SlotCall, limit: number): Promise<SlotCall[]>;
  /** Frees what the dead have left, of all pipelines: of one for which nobody asks any more, nothing else does. Wakes nobody. */
  sweep(): Promise<void>;
}

/** A call of an agent: which run's, and which activity's. */
export interface SlotCall {
  workflowId: string;
  /** Id of the run's first execution. */
  run: string;
  /** Address of the activity. */
  step: string;
}

/** A holder that gives no sign of life for this long loses its slot. */
export const LOST_MS = 30_000;
/** A call that was woken and does not come for this long loses its place. */
export const ABSENT_MS = 60_000;
/** A call in line asks again after a quarter of an hour at the latest. One that does not for this long loses its place. */
export const FORSAKEN_MS = 3_600_000;
