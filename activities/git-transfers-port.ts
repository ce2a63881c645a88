import type { ObjectId, Ref, Repository, Swap, Swapped } from './git-model';

/** Transfers between repositories of this host. The other one's hooks and rules for pushes do not count. */
export interface Transfers {
  /**
   * Copies a repository's settings for its files (filters, ends of lines, merge drivers, ignored files) and for who commits into one of
   * ours.
   */
  settings(source: Repository, to: Repository, signal: AbortSignal): Promise<void>;
  /** Commits with their histories, and all tags if they are asked for. Fails with `base-missing`. */
  bring(source: Repository, to: Repository, wanted: { commits: readonly ObjectId[]; tags: boolean }, signal: AbortSignal): Promise<void>;
  /** A commit with its history to a ref there, if that still has its old value. */
  deliver(from: Repository, to: Repository, swap: Swap, signal: AbortSignal): Promise<Swapped>;
  /**
   * Makes a repository for one worktree, with nothing of the lender's but its objects and the given refs; an existing one is replaced.
   * Returns our view of it, for which the configuration of the repository does not count.
   */
  lend(lender: Repository, lending: Lending): Promise<Repository>;
  /** The same view, later; undefined if it, or its repository, is gone. */
  lent(view: string): Promise<Repository | undefined>;
  /** Removes the folder and the view. It is no failure if one is gone. */
  giveBack(lending: Pick<Lending, 'folder' | 'view'>): Promise<void>;
}

export interface Lending {
  /** The folder of the repository. */
  folder: string;
  /** The folder of the view: programs in the worktree do not learn where it is. */
  view: string;
  /** The refs that it begins with. */
  refs: readonly Ref[];
}
