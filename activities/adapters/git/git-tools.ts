import type { RunGit } from './git-process';
import type { KnownRepositories } from './known-repositories';
import type { GitQuestions } from './questions';
import type { GitVersion } from './version';

/** The context of every part of the adapter. */
export interface GitTools extends GitQuestions {
  run: RunGit;
  version(signal: AbortSignal): Promise<GitVersion>;
  known: KnownRepositories;
  /** Where scratch folders are made. */
  scratch: string;
}
