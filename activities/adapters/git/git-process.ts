import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { Worktree } from '../../git-model';
import { attendGroup, exitOf, readAll } from '../processes/attend-group';
import { newOrphanMark } from '../processes/orphans';
import { readEnd, startGroup } from '../processes/process-group';
import { fullEnvironment, type GitHost } from './environment';
import { gitFailed, repositoryFailure } from './failures';

/** Where git works. It never searches for a repository: one found above a broken worktree would be the wrong one. */
export interface GitPlace {
  gitDir: string;
  /**
   * The folder of refs, objects and configuration. It overrides the git folder's own setting, which programs in the worktree could change.
   */
  commonDir?: string;
  /** Absent: only the repository is touched. */
  workTree?: string;
  /** Replaces the work tree's own index. */
  indexFile?: string;
}

export interface GitCommand {
  /** Absent: no repository. */
  at?: GitPlace;
  /** The arguments without `git`. Values from outside come after `--`, are checked, or are in `stdin`. */
  argv: readonly string[];
  env?: Readonly<Record<string, string>>;
  stdin?: string | Uint8Array;
  /** Exit codes that count as answers. @default [0] */
  answers?: readonly number[];
  /** The limit of stdout. @default LISTING_BYTES */
  limitBytes?: number;
  /** It may talk to a remote. */
  network?: true;
}

export interface GitAnswer {
  exitCode: number;
  stdout: Buffer;
  /** The end of stderr. */
  stderr: string;
}

/**
 * Git as a process in a group of its own, with raw arguments and bytes. A signal, a timeout and the death of the worker end it with
 * everything it starts. Plain questions go through `questions.ts`.
 */
export type RunGit = (command: GitCommand, signal: AbortSignal) => Promise<GitAnswer>;

export interface GitLimits {
  /** The limit for work on this host. */
  localMs: number;
  /** The limit for a fetch, a push or a clone. */
  networkMs: number;
}

/** Room for a listing of 50,000 files with long names. */
export const LISTING_BYTES = 256 * 1024 * 1024;

export function gitRunner(host: GitHost, limits: GitLimits): RunGit {
  const environments = { local: fullEnvironment(host, { network: false }), network: fullEnvironment(host, { network: true }) };
  return async (command, signal) => {
    signal.throwIfAborted();
    const { at, argv, stdin = '', answers = [0], limitBytes = LISTING_BYTES, network } = command;
    const what = `git ${argv[0] ?? ''}`;
    const env = { ...environments[network ? 'network' : 'local'], ...placed(at), ...command.env };
    const mark = newOrphanMark();
    const child = startGroup({ argv: ['git', ...argv], env, mark, cwd: at?.workTree ?? at?.gitDir ?? '/' });
    const exited = exitOf(child, (error) => cannotStart(what, at, error));
    const stdout = readAll(child, limitBytes, () => {
      attended.stop(new ThermidorFailure('output.too-large', `${what} produced more than ${limitBytes} bytes`, { limitBytes }));
    });
    const stderr = readEnd(child);
    const timeoutMs = network ? limits.networkMs : limits.localMs;
    const timedOut = () => repositoryFailure('timeout', `${what} did not finish within ${timeoutMs} ms`, { timeoutMs });
    const attended = attendGroup(child, exited, { input: stdin, mark, timeoutMs, timedOut }, signal);
    const exit = await attended.exit;
    const { code } = exit;
    if (code === null || !answers.includes(code))
      throw gitFailed(what, exit, stderr(), { isLocal: at?.workTree !== undefined && !network });
    return { exitCode: code, stdout: stdout(), stderr: stderr() };
  };
}

export function placed(at: GitPlace | undefined): Record<string, string> {
  if (!at) return { GIT_CEILING_DIRECTORIES: '/' };
  const { gitDir, commonDir, workTree, indexFile } = at;
  return {
    GIT_DIR: gitDir,
    ...defined({
      GIT_COMMON_DIR: commonDir || undefined,
      GIT_WORK_TREE: workTree || undefined,
      GIT_INDEX_FILE: indexFile || undefined,
    }),
  };
}

export function placeOf({ gitDir, path, repository }: Worktree): GitPlace & { workTree: string } {
  return { gitDir, commonDir: repository.gitDir, workTree: path };
}

function cannotStart(what: string, at: GitPlace | undefined, error: Error): ThermidorFailure {
  const problem = at?.workTree === undefined ? 'not-a-repository' : 'worktree-missing';
  return repositoryFailure(problem, `${what} cannot work in ${at?.workTree ?? at?.gitDir ?? '/'}: ${error.message}`);
}
