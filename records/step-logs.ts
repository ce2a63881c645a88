import type { RunKey } from './ledger';

/**
 * The output of commands and agents' programs, kept by try: a log for each call of an activity, named by the call's id. Secrets are masked
 * before anything gets here.
 *
 * Requires of the store: listing by prefix, and that pieces written by one process are read in their order. None of it need survive a crash
 * of the machine, and a log may be cut in its middle.
 */
export interface StepLogs {
  /** Opens a log to add to it. Nothing is created before the first line; an existing log continues. */
  open(run: RunKey, name: string, options: LogOptions): LogWriter;
  /** Names of the logs of a run, in no order. */
  list(run: RunKey): Promise<string[]>;
  /** Lines from a position on, oldest first. A missing log has none. */
  read(run: RunKey, name: string, from?: number): AsyncGenerator<LogEntry>;
  /** Absent: nothing tells of new lines, and a follower looks now and then. */
  watch?(run: RunKey): LogWatch;
  /** Where a person finds the file. Undefined if there is none, as in a database. */
  locate(run: RunKey, name: string): Promise<string | undefined>;
}

/** Tells a follower when a look at the logs of a run is due. */
export interface LogWatch {
  /** Whether lines may have come since the last call. What came before it is there to be read. */
  takeNews(): boolean;
  /** Resolves when lines have come of which `takeNews` has not told, and after `ms` in any case. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface LogOptions {
  /** Temporal's attempt, within one try. */
  attempt: number;
  /** Called once, when lines cannot be kept, for a while or for good. */
  trouble(reason: string): void;
}

export interface LogWriter {
  /** Never fails and never waits: lines that a slow, full or absent store does not take are left out. */
  add(lines: readonly LogLine[]): void;
  /** Whether so many lines wait that those added now may be left out. */
  readonly isBehind: boolean;
  /** Notes that something was left out. */
  leftOut(bytes: number): void;
  /** Resolves when all that was added is written, or after a short time. */
  close(): Promise<void>;
}

export type LogStream = 'stdout' | 'stderr';

/** Takes what one program prints, in pieces as they come, and in UTF-8 what is to be noted of that. Never throws. */
export type PrintedBy = (stream: LogStream | 'note', chunk: Buffer) => void;

export interface LogLine {
  /** ISO 8601. */
  at: string;
  /** `note` is Thermidor's own word. */
  from: LogStream | 'note';
  text: string;
  /** The line continues with the next of its stream. */
  goesOn?: true;
}

/** `next` is the position after it, for `read`. If the middle of a log was dropped, a gap says how much. */
export type LogEntry = ({ kind: 'line'; next: number } & LogLine) | { kind: 'gap'; bytes: number; next: number };
