import type { RunState } from '../plan/run/status';
import type { CostGroup, Paid } from './accounts/sum';
import type { RunKey } from './ledger';
import type { EndedCost, EndMoment, ListedEnd } from './runs/listed-end';

export interface EndedQuery {
  pipeline?: string;
  state?: RunState;
  /** Only runs that no other run has started. */
  tops?: boolean;
  /** Only runs whose id has this text. */
  contains?: string;
  /** Which is first: the last to end, or to start. */
  by: 'endedAt' | 'startedAt';
  /** Only those that follow this one in the order of `endedAt`; of one moment the order is that of ids. */
  after?: EndMoment;
  limit?: number;
}

/** What all runs cost, as far as it is known in sums: the runs left over have to be read. */
export interface KnownCosts {
  paid: Paid[];
  left: RunKey[];
}

/**
 * The ends of runs in their order, for lists and sums over many runs: they are read without the runs' own logs. Each is noted before the
 * run's record is written, so that no run with a record is missing.
 *
 * Requires of the store: entries that are added whole, and found in the order of their times, a page at a time. All fail with
 * `store.unavailable`.
 */
export interface EndedIndex {
  /** Durable when it returns; the same once more changes nothing. `cost` replaces what was noted of that run before. */
  note(end: ListedEnd, cost?: EndedCost): Promise<void>;
  /** The last end alone of each run, and of several that had one id the newest. */
  list(query: EndedQuery): Promise<ListedEnd[]>;
  /**
   * What was paid for, of each run that has ended and whose accounts have not grown since, as they do while agents that its end has
   * cancelled still work, and once the run is reset. The sums may be over many runs: they tell those groups apart, and adapters.
   *
   * @param sinceMs only what was paid for since; a run of which that is a part of a day is left over
   */
  costs(groups: readonly CostGroup[], sinceMs?: number): Promise<KnownCosts>;
}
