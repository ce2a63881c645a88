import type { Writable } from 'node:stream';
import { createColors } from 'picocolors';

/** Where a command reads and writes. Commands never touch `process` themselves, so that tests can give them another. */
export interface Terminal {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Writes the answer itself, to standard output. */
  out(text: string): void;
  /** Progress and errors: standard error. */
  err(text: string): void;
  /** A line of a log that goes on for days, to standard output, where nothing else is written then. */
  logOut: PrintLog;
  /** The same, to standard error. */
  logErr: PrintLog;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  /** A person can be asked: both ends are terminals. */
  interactive: boolean;
  /** Output can be redrawn in place. */
  live: boolean;
  colors: Colors;
  columns(): number;
  rows(): number;
  /** Aborted at the first Ctrl-C (or SIGTERM), the signal’s name in its reason; the second ends the process. */
  interrupted: AbortSignal;
}

/** False if the line is left out: the reader has gone, or has stopped and much waits for it. A log never stops who writes it. */
export type PrintLog = (line: string) => boolean;

export type Colors = ReturnType<typeof createColors>;

function wantsColor(env: NodeJS.ProcessEnv, isTty: boolean): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '' && env['FORCE_COLOR'] !== '0') return true;
  return isTty && env['TERM'] !== 'dumb';
}

const INTERRUPTED_TWICE = 130;

/** What of a log is kept for a slow reader. */
const MOST_UNREAD_BYTES = 1024 * 1024;

export function logTo(stream: Writable): PrintLog {
  return (line) => {
    if (stream.errored || stream.writableLength > MOST_UNREAD_BYTES) return false;
    stream.write(line);
    return true;
  };
}

export interface ProcessTerminal extends Terminal {
  /** Standard output is a log. */
  logs(): boolean;
}

/** The terminal of this process. */
export function processTerminal(): ProcessTerminal {
  const { stdin, stdout, stderr, env } = process;
  const tty = stdout.isTTY === true && env['TERM'] !== 'dumb';
  const interrupt = new AbortController();
  const log = logTo(stdout);
  let logs = false;
  return {
    cwd: process.cwd(),
    env,
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    logOut(line) {
      logs = true;
      return log(line);
    },
    logErr: logTo(stderr),
    logs: () => logs,
    stdin,
    stdout,
    interactive: stdin.isTTY === true && tty && !env['CI'],
    live: tty && !env['CI'],
    colors: createColors(wantsColor(env, stdout.isTTY === true)),
    columns: () => stdout.columns || 100,
    rows: () => stdout.rows || 24,
    interrupted: listen(interrupt),
  };
}

function listen(interrupt: AbortController): AbortSignal {
  const onSignal = (name: NodeJS.Signals): void => {
    if (interrupt.signal.aborted) process.exit(INTERRUPTED_TWICE);
    interrupt.abort(new DOMException(name, 'AbortError'));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return interrupt.signal;
}
