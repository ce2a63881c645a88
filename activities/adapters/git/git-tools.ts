import type { RunGit } from './git-process';
import type { KnownRepositories } from './known-repositories';
import type { AskGit } from './questions';
import type { GitVersion } from './version';

/** The context of every part of the adapter. */
export interface GitTools {
  run: RunGit;
  ask: AskGit;
  version(signal: AbortSignal): Promise<GitVersion>;
  known: KnownRepositories;
  /** Where scratch folders are made. */
  scratch: string;
}
