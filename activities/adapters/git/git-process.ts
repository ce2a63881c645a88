import { ThermidorFailure } from '../../../plan/run/failure';
import type { Worktree } from '../../git-model';
import { attendGroup, exitOf, readAll } from '../processes/attend-group';
import { newOrphanMark } from '../processes/orphans';
import { readEnd, startGroup } from '../processes/process-group';
import { fullEnvironment, type GitHost } from './environment';
import { gitFailed, repositoryFailure } from './failures';

/** Where git works. It looks for no repository itself: what is found upwards of a broken worktree is the wrong one. */
export interface GitPlace {
  gitDir: string;
  /** Where refs, objects and configuration are: in the place of what the git folder says, which is in the reach of who works there. */
  commonDir?: string;
  /** Absent: nothing but the repository is touched. */
  workTree?: string;
  /** In the place of the work tree's own. */
  indexFile?: string;
}

export interface GitCommand {
  /** Absent: no repository. */
  at?: GitPlace;
  /** Without `git`. What comes from outside is behind `--`, checked, or in `stdin`. */
  argv: readonly string[];
  env?: Readonly<Record<string, string>>;
  stdin?: string | Uint8Array;
  /** Exit codes that are answers. @default [0] */
  answers?: readonly number[];
  /** Of stdout. @default LISTING_BYTES */
  limitBytes?: number;
  /** It may talk to a remote. */
  network?: true;
}

export interface GitAnswer {
  exitCode: number;
  stdout: Buffer;
  /** Its end. */
  stderr: string;
}

/**
 * Git as a process in a group of its own, with raw arguments and bytes. What it does, and what it starts, goes through here: a signal, a
 * timeout and the death of the worker end all of it. Plain questions go through `questions.ts`.
 */
export type RunGit = (command: GitCommand, signal: AbortSignal) => Promise<GitAnswer>;

export interface GitLimits {
  /** For work on this host. */
  localMs: number;
  /** For a fetch, a push or a clone. */
  networkMs: number;
}

/** Room for a listing of 50,000 files with long names. */
const LISTING_BYTES = 256 * 1024 * 1024;

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
    ...(commonDir ? { GIT_COMMON_DIR: commonDir } : {}),
    ...(workTree ? { GIT_WORK_TREE: workTree } : {}),
    ...(indexFile ? { GIT_INDEX_FILE: indexFile } : {}),
  };
}

export function placeOf({ gitDir, path, repository }: Worktree): GitPlace & { workTree: string } {
  return { gitDir, commonDir: repository.gitDir, workTree: path };
}

function cannotStart(what: string, at: GitPlace | undefined, error: Error): ThermidorFailure {
  return repositoryFailure('worktree-missing', `${what} cannot work in ${at?.workTree ?? at?.gitDir ?? '/'}: ${error.message}`);
}
