import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from '../../../plan/error-code';
import { ThermidorFailure } from '../../../plan/run/failure';
import { field } from '../../../plan/text/json';
import { type GitHost, localEnvironment } from './environment';
import { gitFailed, repositoryFailure } from './failures';
import { type GitPlace, LISTING_BYTES, placed } from './git-process';

/**
 * Plain questions: git reads, and starts no program of its own, in a partial clone neither. Without a process group there is one process
 * instead of three. What changes something, starts something, or looks into trees and files goes through `git-process.ts`.
 */
export interface GitQuestions {
  ask: AskGit;
  read: ReadGit;
}

/** For answers in a few lines of ASCII, names of objects and the like. */
export type AskGit = (question: GitQuestion, signal: AbortSignal) => Promise<string>;
/** For answers with names and values that people choose. */
export type ReadGit = (question: GitQuestion, signal: AbortSignal) => Promise<Buffer>;

export interface GitQuestion {
  /** A folder: git looks for the repository that it is in. */
  at: GitPlace | { folder: string };
  argv: readonly string[];
}

const execute = promisify(execFile);

export function gitQuestions(host: GitHost, timeoutMs: number): GitQuestions {
  const base = localEnvironment(host);
  const read: ReadGit = async ({ at, argv }, signal) => {
    signal.throwIfAborted();
    const cwd = 'folder' in at ? at.folder : (at.workTree ?? at.gitDir);
    const env = { ...base, ...('folder' in at ? {} : placed(at)) };
    const options = { cwd, env, signal, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: LISTING_BYTES, encoding: 'buffer' } as const;
    try {
      return (await execute('git', [...argv], options)).stdout;
    } catch (error) {
      signal.throwIfAborted();
      throw asFailure(error as ExecFileException, `git ${argv[0] ?? ''}`, cwd, timeoutMs);
    }
  };
  return { read, ask: async (question, signal) => (await read(question, signal)).toString('utf8').trim() };
}

/** For a question to which git answers with an exit code of its own if there is no such thing. */
export async function unlessNothing<T>(answer: Promise<T>, exitCode = 1): Promise<T | undefined> {
  return await answer.catch((error: unknown) => {
    if (error instanceof ThermidorFailure && field(error.details, 'exitCode') === exitCode) return undefined;
    throw error;
  });
}

function asFailure(error: ExecFileException, what: string, folder: string, timeoutMs: number): Error {
  const code = errorCode(error);
  // A folder that is not there, and a program that is not, have one code.
  if (code === 'ENOENT' && existsSync(folder)) return repositoryFailure('git-missing', 'git does not run: it is not installed');
  if (code === 'ENOENT' || code === 'ENOTDIR') return repositoryFailure('not-a-repository', `there is no folder ${folder}`);
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return new ThermidorFailure('output.too-large', `${what} produced more than ${LISTING_BYTES} bytes`, { limitBytes: LISTING_BYTES });
  if (code !== undefined) return repositoryFailure('failed', `${what}: ${error.message}`);
  if (error.killed) return repositoryFailure('timeout', `${what} did not finish within ${timeoutMs} ms`, { timeoutMs });
  return gitFailed(
    what,
    { code: typeof error.code === 'number' ? error.code : null, signal: error.signal ?? null },
    String(error.stderr ?? ''),
  );
}
