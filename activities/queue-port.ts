import type { JudgedBy } from '../plan/queue/candidate-remarks';
import type { MergedAs } from '../plan/queue/queue-activities';
import type { MergeStrategy, QueueSettings } from '../plan/queue/queue-settings';
import type { AskedBy, QueueTarget } from '../plan/queue/ticket';
import type { MergeRequest } from './git-port';
import type { WantedWorktree } from './worktree-port';

/**
 * The operations of a merge queue on a repository, on any host that has it. Every call may run twice, also after a crash in the middle.
 * Calls fail with the codes of `REPOSITORY_PROBLEMS`, and with `worktree.unavailable` if this host does not see the repository.
 */
export interface MergeHost {
  /** The rules of a target, as this worker's settings have them. */
  rules(target: QueueTarget): QueueSettings;
  /** The repository that a worktree would be of; nothing is fetched. */
  origin(wanted: Pick<WantedWorktree, 'repo' | 'remote'>, signal: AbortSignal): Promise<Omit<QueueTarget, 'branch'>>;
  /**
   * Merges candidates, each on top of the earlier ones that merged; makes objects, and moves nothing. Without `onto` it merges onto the
   * target: fails if the branch does not exist, or is checked out in a folder with changes.
   */
  merge(request: MergeBatch, signal: AbortSignal): Promise<MergedBatch>;
  /** Keeps a result by a ref of the queue's run, so that it can be had on every host. */
  keep(target: QueueTarget, run: string, result: string, signal: AbortSignal): Promise<void>;
  /** Brings a result that is kept, with all that is in its history. */
  bring(target: QueueTarget, result: string, signal: AbortSignal): Promise<void>;
  /** Whether the target has the commit. */
  has(target: QueueTarget, commit: string, signal: AbortSignal): Promise<boolean>;
  /** Whether two commits have the same files. */
  isSameTree(target: QueueTarget, one: string, other: string, signal: AbortSignal): Promise<boolean>;
  /** Moves the target from one commit to another. `moved` also means that the target has `to` already, wherever it is by now. */
  advance(target: QueueTarget, swap: { from: string; to: string; within?: string }, signal: AbortSignal): Promise<Advance>;
  /** Removes the refs that keep results. */
  forget(target: QueueTarget, run: string, results: readonly string[], signal: AbortSignal): Promise<void>;
}

export interface MergeBatch {
  target: QueueTarget;
  strategy: MergeStrategy;
  onto?: string;
  /** A kept commit with `onto` in its history. */
  within?: string;
  candidates: readonly CandidateToMerge[];
}

export interface CandidateToMerge extends Pick<MergeRequest, 'candidate' | 'message' | 'signature' | 'allowEmpty'> {
  restricted: readonly string[];
  judged: JudgedBy;
}

export interface MergedBatch {
  onto: string;
  /** The commit with everything merged; `onto` if nothing was. */
  result: string;
  /** In the order of the candidates. */
  parts: MergedAs[];
}

export type Advance = { kind: 'moved' | 'stale' } | { kind: 'dirty'; folder: string; paths: string[] };

/** Asks the queue of a target for a ticket; starts the queue if it does not exist yet. */
export interface QueueAsker {
  ask(queue: string, asked: AskedBy): Promise<{ number: number }>;
  /** Withdraws a ticket. One that has landed, or is about to, stays. */
  drop(queue: string, ticket: number): Promise<void>;
  /** Makes an asker look into the queue's ledger. An asker that is not a workflow, or has ended, is not woken. */
  wake(asked: AskedBy): Promise<void>;
}
