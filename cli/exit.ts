import type { ProblemCode } from '../client/client-problem';
import { ThermidorFailure } from '../plan/run/failure';

/**
 * How commands end, and which failure means which exit code. This file loads nothing of Temporal: problems of a client
 * or of the embedded server are known by their name.
 */
export const EXIT = {
  /** The run completed, or the thing asked for was done. */
  done: 0,
  /** The run failed, was rejected, cancelled or aborted, or a check failed. */
  failed: 1,
  /** The command was given wrongly, or the pipeline is invalid. */
  usage: 2,
  /** The run waits for a person. */
  waits: 3,
  /** The server or a needed part cannot be reached. */
  unreachable: 4,
  /** Ctrl-C ended the following; the run continues. */
  detached: 130,
} as const;

/** A command could not do what it was asked. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  constructor(
    readonly exit: number,
    readonly code: string,
    message: string,
    readonly more: { hint?: string; details?: unknown } = {},
  ) {
    super(message);
  }
}

export function usage(message: string, hint?: string): CommandFailure {
  return new CommandFailure(EXIT.usage, 'usage', message, hint === undefined ? {} : { hint });
}

/** A failure as shown: in words on stderr, with `--json` as data on stdout. */
export interface ShownFailure {
  exit: number;
  code: string;
  message: string;
  hint?: string;
  details?: unknown;
}

const PROBLEM_EXITS: Partial<Record<ProblemCode, number>> = {
  'server.unreachable': EXIT.unreachable,
  'server.refused': EXIT.unreachable,
  'server.failed': EXIT.unreachable,
  'worker.missing': EXIT.unreachable,
  'worker.too-old': EXIT.unreachable,
  'callbacks.unavailable': EXIT.unreachable,
  'run.ambiguous': EXIT.usage,
  'run.exists': EXIT.usage,
};

/** Undefined if the error is not an expected one: a bug, which is shown with its stack. */
export function shownFailure(error: unknown): ShownFailure | undefined {
  if (error instanceof CommandFailure) return shown(error.exit, error.code, error.message, error.more);
  if (error instanceof ThermidorFailure) return shown(exitOfFailure(error.code), error.code, error.message, { details: error.details });
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'ClientProblem' && 'code' in error) {
    const { code, more } = error as Error & { code: ProblemCode; more?: { hint?: string; details?: unknown } };
    return shown(PROBLEM_EXITS[code] ?? EXIT.failed, code, error.message, more);
  }
  if (error.name === 'ServerUnavailable') {
    const tried = 'tried' in error && Array.isArray(error.tried) ? error.tried.map(String) : [];
    const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
    return shown(EXIT.unreachable, 'server.unavailable', error.message, { hint, ...(tried.length === 0 ? {} : { details: { tried } }) });
  }
  return refusedByDisk(error) ?? failedByServer(error);
}

const DISK_REFUSALS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
};

/** A full or read-only disk is no bug of ours, wherever the error appears. */
function refusedByDisk(error: Error): ShownFailure | undefined {
  const why = 'code' in error && typeof error.code === 'string' ? DISK_REFUSALS[error.code] : undefined;
  const hint = 'make room, or choose another folder with --state-dir; runs stay as they are';
  return why === undefined ? undefined : shown(EXIT.unreachable, 'store.unavailable', `${why} (${error.message})`, { hint });
}

/** An error of the server is no bug of ours either, even if it bypasses the client that names it (`client/server-error.ts`). */
function failedByServer(error: Error): ShownFailure | undefined {
  for (let here: unknown = error, depth = 0; here instanceof Error && depth < 5; here = here.cause, depth++) {
    const isGrpc =
      'code' in here && typeof here.code === 'number' && 'details' in here && typeof here.details === 'string' && 'metadata' in here;
    if (isGrpc || here.name === 'TransportError')
      return shown(EXIT.unreachable, 'server.failed', `the Temporal server could not answer: ${here.message}`);
  }
  return undefined;
}

function exitOfFailure(code: string): number {
  if (/^(pipeline|script|args|plan|input)\./.test(code)) return EXIT.usage;
  return code === 'store.unavailable' || code === 'adapter.unavailable' ? EXIT.unreachable : EXIT.failed;
}

function shown(exit: number, code: string, message: string, more: { hint?: string | undefined; details?: unknown } = {}): ShownFailure {
  const failure: ShownFailure = { exit, code, message };
  if (more.hint !== undefined) failure.hint = more.hint;
  if (more.details !== undefined) failure.details = more.details;
  return failure;
}
