import type { RepositoryProblem } from '../plan/run/repository-problem';

/** Git's data and answers. Paths within a repository are bytes, names of refs and objects are text. */

/** 40 or 64 hexadecimal digits. */
export type ObjectId = string;
/** A path within a repository, as git has it: without a leading slash, in no particular encoding. */
export type GitPath = Buffer;

export interface Repository {
  /** The same from every worktree, whatever its configuration says: the real folder that its `.git` is in, else its own. */
  identity: string;
  /** The folder that all worktrees share. */
  gitDir: string;
  /** The main checkout. Absent: bare. */
  checkout?: string;
  shallow: boolean;
}

export interface ExaminedBase {
  /** Absent if there is none. */
  commit?: ObjectId;
  problems: FoundProblem[];
}

export interface FoundProblem {
  problem: RepositoryProblem;
  /** The message with the hint. */
  message: string;
  paths?: GitPath[];
}

export interface Worktree {
  /** Absolute and real. */
  path: string;
  /** Its own part of the repository. Git uses this path, whatever happened to the file `.git` in the worktree. */
  gitDir: string;
  repository: Repository;
}

export interface ListedWorktree {
  path: GitPath;
  head?: ObjectId;
  branch?: string;
  bare?: true;
  /** Its folder is gone. */
  prunable?: true;
  locked?: true;
}

export interface WorktreeStatus {
  /** Absent: no commits. */
  head?: ObjectId;
  branch?: string;
  /** Empty if the tree is clean. Ignored files are left out. */
  changes: StatusChange[];
}

export interface StatusChange {
  kind: 'changed' | 'renamed' | 'unmerged' | 'untracked';
  path: GitPath;
  /** The earlier path of a renamed one. */
  from?: GitPath;
}

/** Who, and when: repeating a commit gives the same commit. */
export interface Signature {
  name: string;
  email: string;
  atMs: number;
}

export type Committed = { kind: 'committed' | 'unchanged'; commit: ObjectId };

export interface ChangedPath {
  path: GitPath;
  change: 'added' | 'deleted' | 'modified' | 'type-changed';
  /** Six octal digits, such as `100755`; `000000` for none. */
  mode: string;
}

export interface DiffStat {
  path: GitPath;
  /** Absent: binary. */
  lines?: { added: number; deleted: number };
}

export interface Ref {
  name: string;
  id: ObjectId;
}

/** A change of a ref from a value to a value; undefined means no ref. */
export interface Swap {
  ref: string;
  from: ObjectId | undefined;
  to: ObjectId | undefined;
}

/** `already`: the ref had the new value before. `stale`: it has a value other than the old one, and was left alone. */
export type Swapped = { kind: 'moved' | 'already' } | { kind: 'stale'; actual: ObjectId | undefined };

/** `already`: the candidate is an ancestor, or changes nothing; `commit` is then `onto`. */
export type Merged =
  | { kind: 'merged' | 'already'; commit: ObjectId; tree: ObjectId }
  | {
      kind: 'conflict' /** The commit of the candidate that does not apply. */;
      at: ObjectId;
      conflicts: Conflict[] /** Set with `markConflicts`. */;
      commit?: ObjectId;
    }
  | { kind: 'unrelated' };

export interface Conflict {
  path: GitPath;
  /** The versions of base, target and candidate: the first, the second and the third. */
  stages: readonly { stage: 1 | 2 | 3; mode: string; id: ObjectId }[];
}

export interface Lock {
  path: string;
  ageMs: number;
  /** A process on this host that has it open, or works in that repository with git. */
  owner?: number;
}
