import type { Json } from '../plan/text/json';
import type { RunKey } from './ledger';
import { type Amount, NOTHING, plus } from './old-content';

/** What a store has of runs besides content (`old-content.ts`). `runs`: what their ledgers have, transcripts and costs among it. */
export const RUN_PARTS = ['runs', 'logs', 'environments', 'links', 'outputs'] as const;
export type RunPart = (typeof RUN_PARTS)[number];
export type RunAmounts = Record<RunPart, Amount>;

export function noAmounts(): RunAmounts {
  return { runs: NOTHING, logs: NOTHING, environments: NOTHING, links: NOTHING, outputs: NOTHING };
}

export function addAmounts(to: RunAmounts, more: RunAmounts): void {
  for (const part of RUN_PARTS) to[part] = plus(to[part], more[part]);
}

/**
 * In this log of a run is noted when another began to take results over from it. A run is as young as its last end, or as the last line
 * here.
 */
export const TAKEN_OVER = 'taken-over';
/** The record of an ended run whose logs were removed before it. */
export const LOGS_REMOVED = 'logs-removed';

export interface EndedBefore extends RunKey {
  /** Its steps have logs. */
  hasLogs: boolean;
}

/** A record of a run's ledger, or lines of a log. */
export interface LedgerEntry {
  name: string;
  kind: 'record' | 'log';
  values: Json[];
}

/**
 * What a store has of runs, by age; all times are by the store's own clock. Who asks knows which runs are open.
 *
 * Requires of the store: that the ledger of a run is gone for every reader at once. What a killed process has left is removed by the next
 * one. All fail with `store.unavailable`.
 */
export interface RunRetention {
  /** Milliseconds since the epoch. */
  nowMs(): Promise<number>;
  /** Runs that have a record of their end, and are older than that moment; a page at a time. */
  endedBefore(beforeMs: number): AsyncIterable<EndedBefore[]>;
  /** Whether this is one of them. */
  isOlder(run: RunKey, beforeMs: number): Promise<boolean>;
  /** Everything that has a ledger, merge queues among it; a page at a time. */
  runs(): AsyncIterable<(RunKey & { beganMs: number })[]>;
  /** All that the ledger of a run says, lines of earlier writers too. */
  entries(run: RunKey): AsyncIterable<LedgerEntry>;
  /**
   * Removes those of the runs that are still older than that moment. What belongs to a workflow id alone goes with the last run that has
   * it. With `dryRun` it only counts.
   */
  remove(runs: readonly RunKey[], beforeMs: number, dryRun: boolean): Promise<RunAmounts>;
  /** Removes the logs of their steps. */
  removeLogs(runs: readonly RunKey[], dryRun: boolean): Promise<Amount>;
  /** Removes what is left of runs whose removal was broken off. @param beforeMs by when removed runs have ended */
  finish(beforeMs: number): Promise<void>;
  /** All that there is. */
  amounts(): Promise<RunAmounts>;
}
