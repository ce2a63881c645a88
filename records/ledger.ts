import type { Json } from '../plan/text/json';

/** Identifies a run's records: `run` is the id of its first execution, so it outlives continue-as-new and reset. */
export interface RunKey {
  workflowId: string;
  run: string;
}

/**
 * The record of what was done and paid for. Invariants: 1. `putIfAbsent` returns what it returned first, to every caller; 2. a crash leaves
 * either no record or a complete one.
 *
 * Requires of the store: create-if-absent, of which one of several at once wins; read-after-write, from any process; and for logs one order
 * of lines that is the same for all readers, in which lines are only ever added. A line may be an object of its own, numbered by
 * create-if-absent and found by listing its prefix, as well as the end of a file. All fail with `store.unavailable`.
 */
export interface Ledger {
  get(run: RunKey, name: string): Promise<Json | undefined>;
  /** Stores the value unless there is one; returns the stored one. Durable when it returns. */
  putIfAbsent(run: RunKey, name: string, value: Json): Promise<Json>;
  /** Adds lines to a log, in order. Durable when it returns; a crash before that may leave the first of them. */
  append(run: RunKey, log: string, ...lines: readonly Json[]): Promise<void>;
  /** Adds one line that decides nothing: readers see it at once, and a crash of the machine may lose it. */
  note(run: RunKey, log: string, line: Json): Promise<void>;
  /**
   * Makes the caller the only writer of a log: lines that earlier writers still add do not count. Fails with `worker.lost` if it was
   * claimed for an attempt that was scheduled later.
   */
  claim(run: RunKey, log: string, scheduledAtMs?: number): Promise<ClaimedLog>;
  /** Whole lines of a log that count, oldest first; a line torn by a crash is left out. */
  lines(run: RunKey, log: string): Promise<Json[]>;
  /** Follows a log that grows while it is read. */
  follow(run: RunKey, log: string): FollowedLog;
  /** Many records that are cheap to make again, in one log. */
  recordLog(run: RunKey, log: string): Promise<RecordLog>;
}

/** A log as a reader follows it. */
export interface FollowedLog {
  /**
   * Whole lines that count by now, oldest first; the cost is that of the lines added since the last look. Looks share one array, and the
   * next adds to it. If another log is in its place, it is another array.
   */
  lines(): Promise<readonly Json[]>;
}

/** A log as its only writer sees it. Writes, and `requireOwn`, fail with `worker.lost` once somebody else has claimed it. */
export interface ClaimedLog {
  /** The lines that counted when it was claimed, oldest first: nobody else adds to them. */
  readonly before: readonly Json[];
  /** Adds lines, in order. They and all that was noted before are durable when it returns. */
  append(...lines: readonly Json[]): Promise<void>;
  /** Adds a line that readers see at once. A crash of the machine may cost it up to the next `append` or `sync`. */
  note(line: Json): Promise<void>;
  /** Noted lines are durable when it returns. */
  sync(): Promise<void>;
  /** Checks ownership before an effect that the log does not see. */
  requireOwn(): Promise<void>;
}

/**
 * Records in one log that is only added to. Invariants as the ledger's, with one exception: a record survives this process at once, and a
 * crash of the machine only from `sync` or `close` on. So it is for work that nobody paid for.
 *
 * It also decides which worker is running. A worker that was stopped and continues later can neither begin anything that another has
 * claimed since, nor record over what another has begun.
 */
export interface RecordLog {
  /** The record as far as it is known here, without a look at the store: opening, `begin` and `putIfAbsent` read what others wrote. */
  get(name: string): Json | undefined;
  /** Fails with `worker.lost` if another writer has begun the same since. */
  putIfAbsent(name: string, value: Json): Promise<Json>;
  /**
   * From here on no earlier writer begins one of these, or what is below one (`name/…`). Names claimed for an attempt that was scheduled
   * later are not claimed: `begin` reports that.
   */
  claim(names: readonly string[], scheduledAtMs?: number): Promise<void>;
  /**
   * Records an intent before its effect. Returns whether somebody began before. Fails with `worker.lost` if another writer has claimed it
   * since.
   */
  begin(name: string): Promise<boolean>;
  /** When each beginning was, in milliseconds of its worker's clock; as far as it is known here. */
  begins(name: string): readonly number[];
  /** Records are durable when it returns. */
  sync(): Promise<void>;
  /** Makes the records durable as `sync` does; the log is not used any more. */
  close(): Promise<void>;
}
