import type { Json } from '../plan/text/json';

/** Which run's records: `run` is the id of its first execution, so it outlives continue-as-new and reset. */
export interface RunKey {
  workflowId: string;
  run: string;
}

/**
 * The record of what was done and paid for (engine.md, *The ledger*). Invariants: 1. `putIfAbsent` returns
 * what it returned first, to every caller; 2. a crash leaves either no record or a whole one.
 *
 * Asks of the store: create-if-absent, of which one of several at once wins; read-after-write, from any process; and for logs one order of
 * lines that is the same for all who read them, in which lines are only ever added. A line may be an object of its own, numbered by
 * create-if-absent and found by listing its prefix, as well as the end of a file. All fail with `store.unavailable`.
 */
export interface Ledger {
  get(run: RunKey, name: string): Promise<Json | undefined>;
  /** Stores the value unless one is there; answers with the one that is. Durable when it returns. */
  putIfAbsent(run: RunKey, name: string, value: Json): Promise<Json>;
  /** Adds lines to a log, in order. Durable when it returns; a crash before that may leave the first of them. */
  append(run: RunKey, log: string, ...lines: readonly Json[]): Promise<void>;
  /** Adds one line that decides nothing: readers see it at once, and a crash of the machine may cost it. */
  note(run: RunKey, log: string, line: Json): Promise<void>;
  /**
   * Makes the caller the only writer of a log: what earlier ones still add is no part of it. Fails with `worker.lost` where it was claimed
   * for an attempt that was scheduled later.
   */
  claim(run: RunKey, log: string, scheduledAtMs?: number): Promise<ClaimedLog>;
  /** Whole lines of a log that count, oldest first; a line torn by a crash is left out. */
  lines(run: RunKey, log: string): Promise<Json[]>;
  /** The same for a log that grows while it is read. */
  follow(run: RunKey, log: string): FollowedLog;
  /** Records that are many and cheap to make again, in one log. */
  recordLog(run: RunKey, log: string): Promise<RecordLog>;
}

/** A log as a reader follows it. */
export interface FollowedLog {
  /**
   * Whole lines that count by now, oldest first; it costs what was added since the last look. Looks share one array, and the next adds to it. Where
   * another log lies in its place, it is another array.
   */
  lines(): Promise<readonly Json[]>;
}

/** A log as its only writer has it. What writes, and `requireOwn`, fails with `worker.lost` once somebody else has claimed it. */
export interface ClaimedLog {
  /** The lines that counted when it was claimed, oldest first: nobody else adds to them. */
  readonly before: readonly Json[];
  /** Adds lines, in order. They and all that was noted before are durable when it returns. */
  append(...lines: readonly Json[]): Promise<void>;
  /** Adds a line that readers see at once. A crash of the machine may cost it up to the next `append` or `sync`. */
  note(line: Json): Promise<void>;
  /** What was noted is durable when it returns. */
  sync(): Promise<void>;
  /** For the moment before something is done that the log does not see. */
  requireOwn(): Promise<void>;
}

/**
 * Records in one log that is only added to. Invariants as the ledger's, but for one: what was put survives this process at once, and a
 * crash of the machine only from `sync` or `close` on. So it is for what nobody paid for.
 *
 * It also says who is running. A worker that was stopped and continues later can neither begin anything that another has claimed since, nor
 * record over what another has begun.
 */
export interface RecordLog {
  /** As far as it is known here, without a look at the store: opening, `begin` and `putIfAbsent` take in what others wrote. */
  get(name: string): Json | undefined;
  /** Fails with `worker.lost` where another writer has begun the same since. */
  putIfAbsent(name: string, value: Json): Promise<Json>;
  /**
   * From here on no earlier writer begins one of these, or what is below one (`name/…`). Of what was claimed for an attempt that was
   * scheduled later nothing is claimed: `begin` says so.
   */
  claim(names: readonly string[], scheduledAtMs?: number): Promise<void>;
  /** An intent, to be recorded before the effect. Says whether somebody began before. Fails with `worker.lost` where another writer has claimed it since. */
  begin(name: string): Promise<boolean>;
  /** When it was begun, each time, in milliseconds of the clock of whose work it was; as far as it is known here. */
  begins(name: string): readonly number[];
  /** What was put is durable when it returns. */
  sync(): Promise<void>;
  /** The same, and the log is not used any more. */
  close(): Promise<void>;
}
