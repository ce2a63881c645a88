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

/**
 * What the engine does with git repositories. Paths within a repository are bytes (`GitPath`), names of refs and objects are text.
 *
 * Every call fails with the codes of `REPOSITORY_PROBLEMS`; a conflict, a lost swap or an unchanged tree is a result and no failure. Every
 * call may run twice: what is done already is found. The signal ends git with everything that it has started.
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
  /** Of any folder in a checkout, a linked worktree or a bare repository. Fails with `not-a-repository`, `git-folder-apart`, `foreign-owner`, `git-missing`, `git-too-old`. */
  open(folder: string, signal: AbortSignal): Promise<Repository>;
  /**
   * Whole or not at all; one that is there is opened. Without `bare` the default branch is checked out. With `withoutRemote` it does not know where it
   * came from, nor what the URL has of credentials. Fails with `path-taken`.
   */
  clone(url: string, folder: string, options: CloneOptions, signal: AbortSignal): Promise<Repository>;
  /**
   * The commit of a base (default: HEAD), and all that stands against work from there, in no particular order. What a caller can live with, such as LFS, is its
   * own decision.
   */
  examine(repository: Repository, base: string | undefined, signal: AbortSignal): Promise<ExaminedBase>;
  /** Whether all that its refs lead to is there and whole. It takes as long as reading all of it. */
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
   * In a folder that is not there yet. The branch is made at the commit, or moved to it where no worktree has it; without one HEAD is detached.
   * A worktree that is at just that is returned; a half that a killed call left is made again, so a path takes one call at a time.
   */
  add(repository: Repository, at: { path: string; commit: ObjectId; branch?: string }, signal: AbortSignal): Promise<Worktree>;
  /** The one that was added at the path; its file `.git` is made again if it was changed. Fails with `worktree-missing`. */
  open(repository: Repository, path: string, signal: AbortSignal): Promise<Worktree>;
  /** The commit that it is at; undefined on a branch without commits, and where the commit is lost. */
  head(worktree: Worktree, signal: AbortSignal): Promise<ObjectId | undefined>;
  /** The main checkout first, if there is one. */
  list(repository: Repository, signal: AbortSignal): Promise<ListedWorktree[]>;
  /** With all that is in it, changed or not. One that is gone, in whole or in part, is no failure. */
  remove(repository: Repository, path: string, signal: AbortSignal): Promise<void>;
  /** Removes what the repository knows of worktrees whose folders are gone. */
  prune(repository: Repository, signal: AbortSignal): Promise<void>;
  /**
   * To a commit, with its branch if it has one. Changes are refused with `dirty`, or discarded: `changes` with all files that are not
   * ignored, `everything` with the ignored ones. With `branch` it is on that one afterwards, and the one that it was on stays as it was.
   */
  moveTo(
    worktree: Worktree,
    commit: ObjectId,
    options: { discard?: 'changes' | 'everything'; branch?: string },
    signal: AbortSignal,
  ): Promise<void>;
  status(worktree: Worktree, signal: AbortSignal): Promise<WorktreeStatus>;
  /**
   * Files and folders, from a folder into the worktree, by the same names. What is there is replaced. Links are copied as links, and nothing
   * is read or written through one that leads outside.
   */
  copy(from: string, worktree: Worktree, names: readonly string[], signal: AbortSignal): Promise<void>;
}

export interface Commits {
  /**
   * All that is in the worktree and not ignored. With `branch` it goes there, on top of what HEAD has, and the worktree is on that branch afterwards: one that
   * somebody checked out in it gets no commit of ours. Fails with `unmerged`, and with `embedded-repository` rather than leave out what a
   * repository within it has.
   */
  commitAll(
    worktree: Worktree,
    commit: { message: string; signature: Signature; allowEmpty?: boolean; branch?: string },
    signal: AbortSignal,
  ): Promise<Committed>;
  isAncestor(repository: Repository, ancestor: ObjectId, commit: ObjectId, signal: AbortSignal): Promise<boolean>;
  /** Where two histories met last: several commits where they were merged crosswise, none where they are unrelated. */
  mergeBases(repository: Repository, a: ObjectId, b: ObjectId, signal: AbortSignal): Promise<ObjectId[]>;
  /** Commits of `to` that `from` does not have, the oldest first, at most `limit` of the newest. */
  between(repository: Repository, range: { from: ObjectId; to: ObjectId; limit: number }, signal: AbortSignal): Promise<ObjectId[]>;
  treeOf(repository: Repository, commit: ObjectId, signal: AbortSignal): Promise<ObjectId>;
  /** Those that the repository does not have. */
  missing(repository: Repository, commits: readonly ObjectId[], signal: AbortSignal): Promise<ObjectId[]>;
}

export interface DiffRange {
  from: ObjectId;
  to: ObjectId;
}

export interface Diffs {
  /** A rename is a path that is gone and one that is new. */
  changed(repository: Repository, range: DiffRange, signal: AbortSignal): Promise<ChangedPath[]>;
  stat(repository: Repository, range: DiffRange, signal: AbortSignal): Promise<DiffStat[]>;
  /** With binary content, for `git apply`; of these paths alone, where there are some. Fails with `output.too-large`. */
  patch(repository: Repository, range: DiffRange, limitBytes: number, signal: AbortSignal, paths?: readonly string[]): Promise<Buffer>;
  /**
   * The changed paths that patterns as of `.gitignore`'s folders and wildcards (git's `:(glob)`) name; a pattern with `!` lifts those before it. A path counts by
   * each name that it has by way of symbolic links in the new tree, and has that name in the answer.
   */
  restricted(repository: Repository, range: DiffRange, patterns: readonly string[], signal: AbortSignal): Promise<GitPath[]>;
  /**
   * Files in which `to` has the three markers of a conflict, and `from` has not. What has only one of them, such as an underlined title, is none.
   */
  markers(repository: Repository, range: DiffRange, signal: AbortSignal): Promise<GitPath[]>;
}

export interface Refs {
  read(repository: Repository, ref: string, signal: AbortSignal): Promise<ObjectId | undefined>;
  /** All below prefixes such as `refs/thermidor/`, sorted. Refs whose names are not UTF-8 are left out. */
  list(repository: Repository, prefixes: string | readonly string[], signal: AbortSignal): Promise<Ref[]>;
  /** Moves the ref alone. A branch that somebody may have checked out is moved by `advance`. */
  compareAndSwap(repository: Repository, swap: Swap, signal: AbortSignal): Promise<Swapped>;
  /**
   * Moves a branch, and the index and files of the worktree that has it checked out, as `receive.denyCurrentBranch=updateInstead` does.
   * Where that has changes nothing moves. Killed in the middle and called again, it completes the move.
   */
  advance(
    repository: Repository,
    swap: Swap,
    signal: AbortSignal,
  ): Promise<Swapped | { kind: 'dirty'; worktree: string; paths: GitPath[] }>;
}

export interface Remotes {
  /** Of a remote by its name, such as `origin`; undefined where there is none. Ask before others work in the repository: they may change it. */
  url(repository: Repository, name: string, signal: AbortSignal): Promise<string | undefined>;
  /** What is the same for every host that works with the repository: the URL without credentials and superfluous slashes. Pure. */
  identity(url: string): string;
  list(url: string, prefix: string, signal: AbortSignal): Promise<Ref[]>;
  defaultBranch(url: string, signal: AbortSignal): Promise<string | undefined>;
  /** The remote's refs into refs here, whatever those were. Refs that the remote does not have fail with `base-missing`. */
  fetch(repository: Repository, url: string, refs: readonly { from: string; to: string }[], signal: AbortSignal): Promise<void>;
  /** Pushes an object to a ref there, or removes it, if that still has its old value. */
  compareAndSwap(repository: Repository, url: string, swap: Swap, signal: AbortSignal): Promise<Swapped>;
}

/** Between repositories of this host. Hooks and rules that the other one has for pushes do not count. */
export interface Transfers {
  /** What a repository has set up for its files (filters, ends of lines, merge drivers, ignored files) and who commits, into one of ours. */
  settings(source: Repository, to: Repository, signal: AbortSignal): Promise<void>;
  /** Commits with their histories, and all tags if they are asked for. Fails with `base-missing`. */
  bring(source: Repository, to: Repository, wanted: { commits: readonly ObjectId[]; tags: boolean }, signal: AbortSignal): Promise<void>;
  /** A commit with its history to a ref there, if that still has its old value. */
  deliver(from: Repository, to: Repository, swap: Swap, signal: AbortSignal): Promise<Swapped>;
  /**
   * A repository for one worktree, with nothing of the lender's but its objects and the refs that are given; one that is there is replaced. The answer is our
   * view of it, for which the configuration of the repository does not count.
   */
  lend(lender: Repository, lending: Lending): Promise<Repository>;
  /** The same view, later; undefined where it, or what it shows, is gone. */
  lent(view: string): Promise<Repository | undefined>;
  /** Removes both. Those that are gone are no failure. */
  giveBack(lending: Pick<Lending, 'folder' | 'view'>): Promise<void>;
}

export interface Lending {
  /** Of the repository. */
  folder: string;
  /** Of the view: who works in the worktree is not told where it is. */
  view: string;
  /** What it begins with. */
  refs: readonly Ref[];
}

export interface MergeRequest {
  onto: ObjectId;
  candidate: ObjectId;
  /** `rebase` leaves out merges, and commits that `onto` has already, as git does; messages and authors are those of the candidate's commits. */
  strategy: 'merge' | 'rebase' | 'squash';
  message: string;
  signature: Signature;
  /** Of `merge` and `squash`: a conflict is a commit as well, with markers in the files. */
  markConflicts?: true;
  /** Of `merge` and `squash`: what changes nothing is a commit as well. */
  allowEmpty?: true;
}

export interface Merges {
  /** Makes the commit, and moves nothing. How files are merged (`.gitattributes`) is as `onto` has it. */
  merge(repository: Repository, request: MergeRequest, signal: AbortSignal): Promise<Merged>;
}

export interface Locks {
  /** Of the repository and all its worktrees. */
  list(repository: Repository): Promise<Lock[]>;
  /**
   * Removes those that no process holds and that are older, and nothing else. Without `/proc` age alone decides.
   *
   * @param within a folder or lock: nothing outside of it is removed
   */
  clear(repository: Repository, olderThanMs: number, within?: string): Promise<Lock[]>;
}
