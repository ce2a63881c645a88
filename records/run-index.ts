import type { Json } from '../plan/text/json';
import type { RunKey } from './ledger';

/** A run as a store lists it. */
export interface ListedRun {
  /** Undefined if it was too long for the store to keep. */
  workflowId: string | undefined;
  /** The id of its first execution. */
  run: string;
  /** The run's place in the store; only that store understands it. */
  place: string;
}

/**
 * Which runs have records in a store, and the lines of their logs. Requires of the store: listing by prefix that includes everything
 * written before the listing began. Fails with `store.unavailable`.
 */
export interface RunIndex {
  /** Every run, or those whose workflow id has this beginning. In no order. */
  list(beginning?: string): Promise<ListedRun[]>;
  /** The runs that had a workflow id one after the other. No order. */
  runsOf(workflowId: string): Promise<RunKey[]>;
  /**
   * The lines that count of each log whose name has one of the endings, log by log. Logs whose names the store could not keep whole are
   * included: readers know a line by its content. A run that is removed meanwhile has none.
   *
   * @param sinceMs leaves out logs to which nothing was added since
   */
  logs(run: ListedRun | RunKey, endings: readonly string[], sinceMs?: number): AsyncIterable<Json[]>;
  /** How much is in these logs, in no unit: a larger number once something was added to one of them. Opens none of them. */
  extent(run: ListedRun | RunKey, endings: readonly string[]): Promise<number>;
}
