import type { ErrorType } from './envelope';

/** How calls end under Lobster's own command line, and which mistake means which of its exit codes. */
export const LOBSTER_EXIT = {
  /** Also if a person is asked, and if somebody refused. */
  ok: 0,
  /** The run failed; so does a file that Lobster refuses. */
  runtime: 1,
  /** The command line, the program or the answer cannot be parsed. */
  parse: 2,
} as const;

/** Ended by a signal, as shells count it. */
export const SIGNAL_EXITS: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

/** A call that fails in words that are Lobster's. */
export class LobsterFailure extends Error {
  override readonly name = 'LobsterFailure';
  constructor(
    readonly type: ErrorType,
    message: string,
    readonly more: {
      /** The prefix in human mode, instead of `Error: ` and `Parse error: `. */
      prefix?: string;
      /** For people, on standard error: the place in the file, and what to do about it. */
      located?: string;
      exit?: number;
    } = {},
  ) {
    super(message);
  }

  get exit(): number {
    return this.more.exit ?? (this.type === 'parse_error' ? LOBSTER_EXIT.parse : LOBSTER_EXIT.runtime);
  }

  /** The line of human mode. */
  get line(): string {
    return `${this.more.prefix ?? (this.type === 'parse_error' ? 'Parse error: ' : 'Error: ')}${this.message}\n`;
  }
}

/** The message in the error's own words. */
export function lobsterErrorMessage(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}

export function parseError(message: string): LobsterFailure {
  return new LobsterFailure('parse_error', message);
}

export function runtimeError(message: string): LobsterFailure {
  return new LobsterFailure('runtime_error', message);
}
