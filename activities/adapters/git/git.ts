import { tmpdir } from 'node:os';
import type { Git, Refs } from '../../git-port';
import { advance } from './advance';
import { commitsOf } from './commits';
import { diffsOf } from './diffs';
import type { GitHost } from './environment';
import { examineBase } from './examine-base';
import { gitRunner } from './git-process';
import type { GitTools } from './git-tools';
import { knownRepositories } from './known-repositories';
import { clearLocks, listLocks } from './locks';
import { mergesOf } from './merges';
import { gitQuestions } from './questions';
import { listRefs, readRef, swapRef } from './refs';
import { remotesOf } from './remotes';
import { cloneRepository, isSound, openRepository, resolveRevision } from './repository';
import { transfersOf } from './transfers';
import { gitVersion } from './version';
import { worktreesOf } from './worktrees';

export interface GitSettings extends GitHost {
  /** The limit of one git command on this host. @default 10 minutes */
  localTimeoutMs?: number;
  /** Where scratch folders are created, which are removed at the end of a call. @default the system's */
  scratch?: string;
}

const MINUTE_MS = 60_000;
/** The limit of one fetch, push or clone. */
const NETWORK_MS = 30 * MINUTE_MS;

/** Git as the engine uses it: `activities/git-port.ts` says what each call does. */
export function createGit({ localTimeoutMs = 10 * MINUTE_MS, scratch = tmpdir(), ...host }: GitSettings): Git {
  const run = gitRunner(host, { localMs: localTimeoutMs, networkMs: NETWORK_MS });
  const questions = gitQuestions(host, localTimeoutMs);
  const tools: GitTools = { run, ...questions, version: gitVersion(questions.ask, host), known: knownRepositories(), scratch };
  return {
    repositories: {
      open: (folder, signal) => openRepository(tools, folder, signal),
      clone: (url, folder, options, signal) => cloneRepository(tools, url, folder, options, signal),
      examine: (repository, base, signal) => examineBase(tools, repository, base, signal),
      isSound: (repository, signal) => isSound(tools, repository, signal),
      resolve: (repository, revision, signal) => resolveRevision(tools, repository, revision, signal),
    },
    worktrees: worktreesOf(tools),
    commits: commitsOf(tools),
    diffs: diffsOf(tools),
    refs: refsIn(tools),
    remotes: remotesOf(tools),
    transfers: transfersOf(tools),
    merges: mergesOf(tools),
    locks: { list: listLocks, clear: clearLocks },
  };
}

function refsIn(tools: GitTools): Refs {
  return {
    read: (repository, ref, signal) => readRef(tools, repository, ref, signal),
    list: (repository, prefixes, signal) => listRefs(tools, repository, [prefixes].flat(), signal),
    compareAndSwap: (repository, swap, signal) => swapRef(tools, repository, swap, signal),
    advance: (repository, swap, signal) => advance(tools, repository, swap, signal),
  };
}
