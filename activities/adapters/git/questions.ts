import { GitError, type SimpleGit, simpleGit } from 'simple-git';
import { errorCode } from '../../../plan/error-code';
import { ThermidorFailure } from '../../../plan/run/failure';
import { field } from '../../../plan/text/json';
import { type GitHost, localEnvironment } from './environment';
import { gitFailed, repositoryFailure } from './failures';
import { type GitPlace, placed } from './git-process';

/**
 * Plain questions: git only reads, starts no other program, and answers in a few lines of ASCII, such as names of objects. They go through
 * simple-git: without a process group there is one process instead of three. Commands that change something, start something, or return
 * names of files go through `git-process.ts`.
 */
export type AskGit = (question: GitQuestion, signal: AbortSignal) => Promise<string>;

export interface GitQuestion {
  /** A folder: git looks for the repository that it is in. */
  at: GitPlace | { folder: string };
  argv: readonly string[];
}

export function gitQuestions(host: GitHost, timeoutMs: number): AskGit {
  const base = localEnvironment(host);
  return async ({ at, argv }, signal) => {
    signal.throwIfAborted();
    const folder = 'folder' in at ? at.folder : (at.workTree ?? at.gitDir);
    const env = { ...base, ...('folder' in at ? {} : placed(at)) };
    try {
      return await open(folder, env, timeoutMs, signal).raw([...argv]);
    } catch (error) {
      signal.throwIfAborted();
      throw asFailure(error, `git ${argv[0] ?? ''}`, folder, timeoutMs);
    }
  };
}

/** For a question to which git answers with exit code 1 if there is no such thing. */
export async function unlessNothing(answer: Promise<string>): Promise<string | undefined> {
  return await answer.catch((error: unknown) => {
    if (error instanceof ThermidorFailure && field(error.details, 'exitCode') === 1) return undefined;
    throw error;
  });
}

function open(folder: string, env: Readonly<Record<string, string>>, timeoutMs: number, signal: AbortSignal): SimpleGit {
  return simpleGit({
    baseDir: folder,
    abort: signal,
    // Limits the whole question, and not the time since its last output.
    timeout: { block: timeoutMs, stdErr: false, stdOut: false },
    // The library's own rule takes the exit of a process for the end of its output.
    completion: { onClose: true, onExit: false },
    // The library's own rule takes a failure without a message for an answer, and forgets the exit code of one with a message.
    errors: (error, { exitCode, stdErr }) =>
      exitCode > 0 || (exitCode !== 0 && !error) ? new AskedInVain(exitCode, Buffer.concat(stdErr).toString('utf8')) : error,
    trimmed: true,
    unsafe: { allowUnsafeConfigPaths: true },
    allowEnvironment: Object.keys(env).filter((name) => name.startsWith('GIT_')),
  }).env(env);
}

/** Of the library's own error class: it replaces any other error. */
class AskedInVain extends GitError {
  constructor(
    readonly exitCode: number | null,
    readonly stderr: string,
  ) {
    super(undefined, stderr);
  }
}

function asFailure(error: unknown, what: string, folder: string, timeoutMs: number): Error {
  if (error instanceof AskedInVain) return gitFailed(what, { code: error.exitCode }, error.stderr);
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('block timeout reached'))
    return repositoryFailure('timeout', `${what} did not finish within ${timeoutMs} ms`, { timeoutMs });
  if (errorCode(error) === 'ENOENT' || message.includes('ENOENT'))
    return repositoryFailure('git-missing', 'git does not run: it is not installed');
  if (message.includes('directory that does not exist')) return repositoryFailure('not-a-repository', `there is no folder ${folder}`);
  return repositoryFailure('failed', `${what}: ${message}`);
}
