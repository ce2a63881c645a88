import type { RunKey } from './ledger';

/**
 * What commands and agents' programs print, kept by try: a log for each call of an activity, named by the call's id. Secrets are
 * masked before anything gets here.
 *
 * Asks of the store: listing by prefix, and that pieces written by one process are read in their order. Nothing of it need survive a crash
 * of the machine, and a log may be cut in its middle.
 */
export interface StepLogs {
  /** Opens a log to add to it. Nothing is made before the first line; a log that is there already continues. */
  open(run: RunKey, name: string, options: LogOptions): LogWriter;
  /** Names of the logs of a run, in no order. */
  list(run: RunKey): Promise<string[]>;
  /** Lines from a position on, oldest first. A log that is not there has none. */
  read(run: RunKey, name: string, from?: number): AsyncGenerator<LogEntry>;
  /** Where a person finds the file. Undefined where there is none. */
  locate(run: RunKey, name: string): Promise<string | undefined>;
}

export interface LogOptions {
  /** Of Temporal, within one try. */
  attempt: number;
  /** Called once, where no more of the log can be kept. */
  trouble(reason: string): void;
}

export interface LogWriter {
  /** Never fails and never waits: what a slow or full disk does not take is left out. */
  add(lines: readonly LogLine[]): void;
  /** Whether lines wait for the disk: what is added now may be left out. */
  readonly isBehind: boolean;
  /** Notes that something was left out. */
  leftOut(bytes: number): void;
  /** Resolves when all that was added is written, or after a short time. */
  close(): Promise<void>;
}

export type LogStream = 'stdout' | 'stderr';

/** Takes what one program prints, in pieces as they come. Never throws. */
export type PrintedBy = (stream: LogStream, chunk: Buffer) => void;

export interface LogLine {
  /** ISO 8601. */
  at: string;
  /** `note` is Thermidor's own word. */
  from: LogStream | 'note';
  text: string;
  /** The line continues with the next of its stream. */
  goesOn?: true;
}

/** `next` is the position behind it, for `read`. Where the middle of a log was dropped, a gap says how much. */
export type LogEntry = ({ kind: 'line'; next: number } & LogLine) | { kind: 'gap'; bytes: number; next: number };
