import type { Json } from '../plan/text/json';
import type { RunKey } from './ledger';

/** A run as a store lists it. */
export interface ListedRun {
  /** Undefined where it was too long for the store to keep. */
  workflowId: string | undefined;
  /** The id of its first execution. */
  run: string;
  /** Where the store has the run: means something to that store alone. */
  place: string;
}

/**
 * Which runs have records in a store, and what their logs say. Asks of the store: listing by prefix, in which everything is that was written
 * before the listing began. Fails with `store.unavailable`.
 */
export interface RunIndex {
  /** Every run, or those whose workflow id begins so. No order. */
  list(beginning?: string): Promise<ListedRun[]>;
  /** The runs that had a workflow id one after the other. No order. */
  runsOf(workflowId: string): Promise<RunKey[]>;
  /**
   * The lines that count of each log whose name ends so, log by log. Logs whose names the store could not keep whole are among them: readers
   * know a line by what it says. Of a run that is cleared away meanwhile there are none.
   *
   * @param sinceMs leaves out logs that nothing was added to since
   */
  logs(run: ListedRun | RunKey, endings: readonly string[], sinceMs?: number): AsyncIterable<Json[]>;
}
