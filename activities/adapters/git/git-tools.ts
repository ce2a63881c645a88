import type { RunGit } from './git-process';
import type { KnownRepositories } from './known-repositories';
import type { AskGit } from './questions';
import type { GitVersion } from './version';

/** What every part of the adapter works with. */
export interface GitTools {
  run: RunGit;
  ask: AskGit;
  version(signal: AbortSignal): Promise<GitVersion>;
  known: KnownRepositories;
  /** Where scratch folders are made. */
  scratch: string;
}
