import type {
  ChangedPath,
  Committed,
  DiffStat,
  ExaminedBase,
  GitPath,
  ListedWorktree,
  Lock,
  Merged,
  ObjectId,
  Ref,
  Repository,
  Signature,
  Swap,
  Swapped,
  Worktree,
  WorktreeStatus,
} from './git-model';
import type { Transfers } from './git-transfers-port';

/**
 * The operations of the engine on git repositories. Paths within a repository are bytes (`GitPath`), names of refs and objects are text.
 *
 * Every call fails with the codes of `REPOSITORY_PROBLEMS`; a conflict, a lost swap or an unchanged tree is a result and no failure. Every
 * call may run twice: finished work is found. The signal ends git with everything that it has started.
 */
export interface Git {
  repositories: Repositories;
  worktrees: Worktrees;
  commits: Commits;
  diffs: Diffs;
  refs: Refs;
  remotes: Remotes;
  transfers: Transfers;
  merges: Merges;
  locks: Locks;
}

export interface Repositories {
  /**
   * Opens the repository of any folder in a checkout, a linked worktree or a bare repository. Fails with `not-a-repository`,
   * `git-folder-apart`, `foreign-owner`, `git-missing`, `git-too-old`.
   */
  open(folder: string, signal: AbortSignal): Promise<Repository>;
  /**
   * Clones completely or not at all; an existing clone is opened. Without `bare` the default branch is checked out. With `withoutRemote` it
   * knows neither its origin nor the URL's credentials. Fails with `path-taken`.
   */
  clone(url: string, folder: string, options: CloneOptions, signal: AbortSignal): Promise<Repository>;
  /**
   * The commit of a base (default: HEAD), and everything that prevents work from there, in no particular order. The caller decides what it
   * can accept, such as LFS.
   */
  examine(repository: Repository, base: string | undefined, signal: AbortSignal): Promise<ExaminedBase>;
  /** Whether everything that its refs lead to exists and is intact. It takes as long as reading all of it. */
  isSound(repository: Repository, signal: AbortSignal): Promise<boolean>;
  /** The commit that a revision such as `main`, `v1.0` or `HEAD~2` means. Fails with `base-missing`. */
  resolve(repository: Repository, revision: string, signal: AbortSignal): Promise<ObjectId>;
}

export interface CloneOptions {
  bare?: boolean;
  withoutRemote?: true;
}

export interface Worktrees {
  /**
   * Adds a worktree in a folder that does not exist yet. The branch is created at the commit, or moved to it if no worktree has it; without
   * one HEAD is detached. A worktree that is already like that is returned; the remains of a killed call are made again, so a path takes
   * one call at a time.
   */
  add(repository: Repository, at: { path: string; commit: ObjectId; branch?: string }, signal: AbortSignal): Promise<Worktree>;
  /** Opens the worktree at the path; a changed file `.git` is restored. Fails with `worktree-missing`. */
  open(repository: Repository, path: string, signal: AbortSignal): Promise<Worktree>;
  /** The commit of its HEAD; undefined on a branch without commits, and if the commit is lost. */
  head(worktree: Worktree, signal: AbortSignal): Promise<ObjectId | undefined>;
  /** The main checkout first, if there is one. */
  list(repository: Repository, signal: AbortSignal): Promise<ListedWorktree[]>;
  /** Removes a worktree with everything in it, changed or not. A missing one, entirely or in part, is no failure. */
  remove(repository: Repository, path: string, signal: AbortSignal): Promise<void>;
  /** Removes the repository's records of worktrees whose folders are gone. */
  prune(repository: Repository, signal: AbortSignal): Promise<void>;
  /**
   * Moves to a commit, with its branch if it has one. Changes are refused with `dirty`, or discarded: `changes` with all files that are not
   * ignored, `everything` with the ignored ones. With `branch` it is on that one afterwards, and the earlier one stays unchanged.
   */
  moveTo(
    worktree: Worktree,
    commit: ObjectId,
    options: { discard?: 'changes' | 'everything'; branch?: string },
    signal: AbortSignal,
  ): Promise<void>;
  status(worktree: Worktree, signal: AbortSignal): Promise<WorktreeStatus>;
  /**
   * Copies files and folders from a folder into the worktree, keeping their names. Existing ones are replaced. Links are copied as links,
   * and nothing is read or written through one that leads outside.
   */
  copy(from: string, worktree: Worktree, names: readonly string[], signal: AbortSignal): Promise<void>;
}

/** Where the histories of two commits parted. */
export interface Fork {
  /** The tree of the first. */
  tree: ObjectId;
  /** The commits in which they last met: several if they were merged crosswise, none if they are unrelated. */
  bases: readonly ObjectId[];
}

export interface Commits {
  /**
   * Commits everything in the worktree that is not ignored. With `branch` the commit goes there, on top of HEAD, and the worktree is on
   * that branch afterwards: a branch that somebody checked out in it gets no commit of ours. Fails with `unmerged`, and with
   * `embedded-repository` rather than leave out the content of a repository within it.
   */
  commitAll(
    worktree: Worktree,
    commit: { message: string; signature: Signature; allowEmpty?: boolean; branch?: string },
    signal: AbortSignal,
  ): Promise<Committed>;
  isAncestor(repository: Repository, ancestor: ObjectId, commit: ObjectId, signal: AbortSignal): Promise<boolean>;
  fork(repository: Repository, onto: ObjectId, candidate: ObjectId, signal: AbortSignal): Promise<Fork>;
  /** Commits of `to` that `from` does not have, the oldest first, at most `limit` of the newest. */
  between(repository: Repository, range: { from: ObjectId; to: ObjectId; limit: number }, signal: AbortSignal): Promise<ObjectId[]>;
  treeOf(repository: Repository, commit: ObjectId, signal: AbortSignal): Promise<ObjectId>;
  /** The commits that the repository does not have. */
  missing(repository: Repository, commits: readonly ObjectId[], signal: AbortSignal): Promise<ObjectId[]>;
  /**
   * The commits that it does not have, or not whole: a fetch that was killed leaves a commit without its files. For a repository of our
   * own.
   */
  lacking(repository: Repository, commits: readonly ObjectId[], signal: AbortSignal): Promise<ObjectId[]>;
}

export interface DiffRange {
  from: ObjectId;
  to: ObjectId;
}

export interface Diffs {
  /** The changed paths. A rename is a deleted path and a new one. */
  changed(repository: Repository, range: DiffRange, signal: AbortSignal): Promise<ChangedPath[]>;
  stat(repository: Repository, range: DiffRange, signal: AbortSignal): Promise<DiffStat[]>;
  /** A patch with binary content, for `git apply`; limited to these paths, if there are any. Fails with `output.too-large`. */
  patch(repository: Repository, range: DiffRange, limitBytes: number, signal: AbortSignal, paths?: readonly string[]): Promise<Buffer>;
  /**
   * The changed paths that match patterns with the folders and wildcards of `.gitignore` (git's `:(glob)`); a pattern with `!` lifts
   * earlier ones. A path counts by each name that it has through symbolic links in the new tree, and has that name in the answer.
   */
  restricted(repository: Repository, range: DiffRange, patterns: readonly string[], signal: AbortSignal): Promise<GitPath[]>;
  /**
   * Files in which `to` has the three markers of a conflict, and `from` has not. A file with only one of them, such as an underlined title,
   * does not count.
   */
  markers(repository: Repository, range: DiffRange, signal: AbortSignal): Promise<GitPath[]>;
}

export interface Refs {
  read(repository: Repository, ref: string, signal: AbortSignal): Promise<ObjectId | undefined>;
  /** All refs below prefixes such as `refs/thermidor/`, sorted. Refs whose names are not UTF-8 are left out. */
  list(repository: Repository, prefixes: string | readonly string[], signal: AbortSignal): Promise<Ref[]>;
  /** Moves the ref alone. A branch that somebody may have checked out is moved by `advance`. */
  compareAndSwap(repository: Repository, swap: Swap, signal: AbortSignal): Promise<Swapped>;
  /**
   * Moves a branch, and the index and files of the worktree that has it checked out, as `receive.denyCurrentBranch=updateInstead` does. If
   * that has changes nothing moves. Killed in the middle and called again, it completes the move.
   */
  advance(
    repository: Repository,
    swap: Swap,
    signal: AbortSignal,
  ): Promise<Swapped | { kind: 'dirty'; worktree: string; paths: GitPath[] }>;
}

export interface Remotes {
  /**
   * The URL of a remote by its name, such as `origin`; undefined if there is none. Read it before others work in the repository: they may
   * change it.
   */
  url(repository: Repository, name: string, signal: AbortSignal): Promise<string | undefined>;
  /** The URL's form that is the same for every host that works with the repository: without credentials and superfluous slashes. Pure. */
  identity(url: string): string;
  list(url: string, prefix: string, signal: AbortSignal): Promise<Ref[]>;
  defaultBranch(url: string, signal: AbortSignal): Promise<string | undefined>;
  /** The remote's refs into refs here, whatever those were. Refs that the remote does not have fail with `base-missing`. */
  fetch(repository: Repository, url: string, refs: readonly { from: string; to: string }[], signal: AbortSignal): Promise<void>;
  /** Pushes an object to a ref there, or removes it, if that still has its old value. */
  compareAndSwap(repository: Repository, url: string, swap: Swap, signal: AbortSignal): Promise<Swapped>;
}

export interface MergeRequest {
  onto: ObjectId;
  candidate: ObjectId;
  /** Where `onto` and `candidate` parted, if the caller knows it. */
  fork?: Fork;
  /**
   * `rebase` leaves out merges, and commits that `onto` has already, as git does; messages and authors are those of the candidate's
   * commits.
   */
  strategy: 'merge' | 'rebase' | 'squash';
  message: string;
  signature: Signature;
  /** For `merge` and `squash`: commits a conflict too, with markers in the files. */
  markConflicts?: true;
  /** For `merge` and `squash`: commits even if nothing changes. */
  allowEmpty?: true;
}

export interface Merges {
  /** Makes the commit, and moves nothing. Files are merged by the `.gitattributes` of `onto`. */
  merge(repository: Repository, request: MergeRequest, signal: AbortSignal): Promise<Merged>;
}

export interface Locks {
  /** The locks of the repository and all its worktrees. */
  list(repository: Repository): Promise<Lock[]>;
  /**
   * Removes locks that no process holds and that are older than `olderThanMs`, and nothing else. Without `/proc` age alone decides.
   *
   * @param within a folder or lock: nothing outside of it is removed
   */
  clear(repository: Repository, olderThanMs: number, within?: string): Promise<Lock[]>;
}
