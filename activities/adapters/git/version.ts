import type { GitHost } from './environment';
import { repositoryFailure } from './failures';
import type { AskGit } from './questions';

export interface GitVersion {
  major: number;
  minor: number;
}

/** The oldest version that reads its configuration from where `environment.ts` puts it. */
export const OLDEST: GitVersion = { major: 2, minor: 34 };

export function isAtLeast(version: GitVersion, major: number, minor: number): boolean {
  return version.major > major || (version.major === major && version.minor >= minor);
}

/** The version of the git that is found on a path. */
const known = new Map<string, GitVersion>();

/** Asked once in a process; again if the answer was a failure. Fails with `git-missing`, `git-too-old`. */
export function gitVersion(ask: AskGit, { environment }: GitHost): (signal: AbortSignal) => Promise<GitVersion> {
  const path = environment['PATH'] ?? '';
  return async (signal) => {
    const version = known.get(path) ?? readVersion(await ask({ at: { folder: '/' }, argv: ['version'] }, signal));
    known.set(path, version);
    return version;
  };
}

function readVersion(said: string): GitVersion {
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(said) ?? [];
  const version = { major: Number(major), minor: Number(minor) };
  if (isAtLeast(version, OLDEST.major, OLDEST.minor)) return version;
  throw repositoryFailure('git-too-old', `git is too old, or is something else: ${said.trim()}`);
}
