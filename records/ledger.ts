import type { Json } from '../plan/json';

/** Which run's records: `run` is the id of its first execution, so it outlives continue-as-new and reset. */
export interface RunKey {
  workflowId: string;
  run: string;
}

/**
 * The record of what was done and paid for (engine.md, *The ledger*). Invariants: 1. what `putIfAbsent` returned once it
 * returns for ever, whoever asks; 2. a crash leaves either no record or a whole one.
 */
export interface Ledger {
  get(run: RunKey, name: string): Promise<Json | undefined>;
  /** Stores the value unless one is there; answers with the one that is. Durable when it returns. */
  putIfAbsent(run: RunKey, name: string, value: Json): Promise<Json>;
  /** Adds one line to a log. Durable when it returns. */
  append(run: RunKey, log: string, line: Json): Promise<void>;
  /**
   * Makes the caller the only writer of a log: what earlier ones still add is no part of it. To be read after this, not before. Fails with
   * `worker.lost` where it was claimed for an attempt that was scheduled later.
   */
  claim(run: RunKey, log: string, scheduledAtMs?: number): Promise<ClaimedLog>;
  /** Whole lines of a log that count, oldest first; a line torn by a crash is left out. */
  lines(run: RunKey, log: string): Promise<Json[]>;
  /** Records that are many and cheap to make again, in one log. */
  recordLog(run: RunKey, log: string): Promise<RecordLog>;
}

/** A log as its only writer has it. Both fail with `worker.lost` once somebody else has claimed it. */
export interface ClaimedLog {
  /** Adds one line. Durable when it returns. */
  append(line: Json): Promise<void>;
  /** For the moment before something is done that the log does not see. */
  requireOwn(): Promise<void>;
}

/**
 * Records in one append-only log. Invariants as the ledger's, but for one: what was put survives this process at once, and a
 * crash of the machine only from `close` on. So it is for what nobody paid for.
 *
 * It also says who is at work. A worker that was stopped and goes on later can neither begin anything that another has claimed since, nor
 * record over what another has begun.
 */
export interface RecordLog {
  /** As far as it is known here: `begin` and `putIfAbsent` take in what others wrote. */
  get(name: string): Json | undefined;
  /** Fails with `worker.lost` where another writer has begun the same since. */
  putIfAbsent(name: string, value: Json): Json;
  /**
   * From here on no earlier writer begins one of these, or what is below one (`name/…`). Of what was claimed for an attempt that was
   * scheduled later nothing is claimed: `begin` says so.
   */
  claim(names: readonly string[], scheduledAtMs?: number): void;
  /** An intent, to be recorded before the effect. Says whether somebody began before. Fails with `worker.lost` where another writer has claimed it since. */
  begin(name: string): boolean;
  close(): Promise<void>;
}
