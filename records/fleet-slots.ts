/**
 * How many of a pipeline's agents are in flight at once, over all runs of it and all workers that share a state folder. Who finds no slot
 * free is in line, holds nothing, and is woken when its turn comes.
 *
 * Asks of the store: one change of a pipeline's slots at a time, as a lock or compare-and-set gives it, and listing in the order of names.
 * Nothing of it need survive a crash of the machine. Clocks of those who share it agree within 30 s.
 *
 * Invariants: 1. who came first goes first, and nobody passes another in line; 2. a slot is held by a call, whichever attempt makes it;
 * 3. a slot whose holder gives no sign of life comes free again, and so does a place in line whose run does not answer.
 */
export interface FleetSlots {
  /** Takes a slot, or a place in line where none is free. `wake`: others whose turn it is, too. */
  take(pipeline: string, call: SlotCall, limit: number): Promise<{ taken: boolean; wake: SlotCall[] }>;
  /** A sign of life. */
  keep(pipeline: string, call: SlotCall): Promise<void>;
  /** Answers with whose turn it is now. */
  give(pipeline: string, call: SlotCall, limit: number): Promise<SlotCall[]>;
}

/** A call of an agent: which run's, and which activity's. */
export interface SlotCall {
  workflowId: string;
  /** Id of the run's first execution. */
  run: string;
  /** Address of the activity. */
  step: string;
}
