import type { ClosedWorktree, WorktreeLease } from '../plan/run/worktree';
import type { SaysOfItself } from '../records/host-presence';
import type { RunKey } from '../records/ledger';
import type { Signature } from './git-model';

/** One host among those that share a store. Calls fail with `store.unavailable`. */
export interface HostLife {
  /** Stable over restarts of its workers: workers that share the host's folder are one host. */
  host(): Promise<string>;
  /** How long a host may be silent before another may take over, in milliseconds. @default 30000 */
  silentMs?: number;
  /**
   * Gives signs of life of this host until the returned function is called; the first is given before it resolves. @param says of the
   * worker
   */
  announce(says?: SaysOfItself): Promise<() => Promise<void>>;
  /** Whether a host has given a sign of life lately, by the clock of the store that they share. */
  isAlive(host: string): Promise<boolean>;
}

/** How long a host may be silent, if it does not say. */
export const SILENT_MS = 30_000;

/**
 * The worktrees of one host. Every call may run twice, also after a crash in the middle. Calls fail with the codes of
 * `REPOSITORY_PROBLEMS`, and with `worktree.unavailable` if a worktree cannot be made: work never falls back to the checkout.
 */
export interface HostWorktrees extends HostLife {
  /** Resolves the repository and the base. The result is recorded before anything is made, so that every host makes the same. */
  resolve(wanted: WantedWorktree, signal: AbortSignal): Promise<WorktreePlan>;
  /**
   * The commit of a run ref, with its commits brought to this host; undefined if there is no such ref. A rerun begins with what the earlier
   * run has pushed.
   */
  pushed(plan: WorktreePlan, ref: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Finds the worktree as it was left, or makes it: at the last pushed commit of its slot, else at the given one. Copies files and takes
   * ports. `setup` runs before the first return, and again if it did not complete.
   */
  open(at: WorktreePlace, plan: WorktreePlan, commit: string, setup: Setup, signal: AbortSignal): Promise<OpenWorktree>;
  /** A folder within an open worktree, by its path from there; no link leads out of it. Fails with `agent.no-folder`. */
  folderIn(folder: string, path: string): Promise<string>;
  /** Puts a worktree back to a commit, on its own branch, whatever was done there. Ignored files stay. */
  restore(at: WorktreePlace, plan: WorktreePlan, commit: string, signal: AbortSignal): Promise<void>;
  /**
   * Ends what a step has left running, commits all changes to the worktree's own branch, and pushes it to the run's ref, whether or not
   * that descends from the old value. Returns the commit. Fails with `worktree.unavailable` if a process does not end, with `worker.lost`
   * if another epoch has the slot: nobody reads what was pushed then.
   */
  save(at: WorktreePlace, plan: WorktreePlan, commit: { message: string; signature: Signature }, signal: AbortSignal): Promise<string>;
  /**
   * Brings the worktree's content on top of a commit, unless it is already: as its own commits if that gives the same, else as one; a
   * conflict is in the files, between markers. Commits uncommitted changes.
   */
  update(at: WorktreePlace, plan: WorktreePlan, to: WorktreeUpdate, signal: AbortSignal): Promise<void>;
  /** Pushes HEAD unchanged, and commits nothing: for commits that somebody at work there has made. */
  push(at: WorktreePlace, plan: WorktreePlan, signal: AbortSignal): Promise<string>;
  /** `teardown`, then the folder, its branch, ports and record. With `keep`, or if it is spared, only `teardown`. */
  close(at: WorktreePlace, plan: WorktreePlan, teardown: Setup | undefined, signal: AbortSignal): Promise<ClosedWorktree>;
}

/** One worktree of a run. */
export interface WorktreePlace {
  key: RunKey;
  slot: string;
  epoch: number;
  /**
   * The path of the working step, if several work at once: what one leaves running ends with it alone, and nothing that another writes is
   * discarded.
   */
  sharedBy?: string;
  /**
   * The path of the working step. Another's unsaved remains do not belong to it. Absent: for work that serves all of them, such as `setup`.
   */
  step?: string;
}

/** The commit that a worktree is brought on top of, and the words of the commit that this makes. */
export interface WorktreeUpdate {
  onto: string;
  message: string;
  signature: Signature;
}

/** The step's wishes, rendered. */
export interface WantedWorktree {
  /** A path, or a URL. @default the worker's own folder */
  repo?: string;
  /** `origin`: base and refs are the remote's. @default the repository's own */
  remote?: string;
  /** @default HEAD, or the remote's default branch */
  base?: string;
  copy?: readonly string[];
  keep?: true;
  /** What lists call it. */
  label?: string;
}

export interface WorktreePlan extends Pick<WorktreeLease, 'repository' | 'refsIn' | 'base'> {
  copy: readonly string[];
  keep: boolean;
  label?: string;
  /** It is kept when it is closed with changes that are no step's. */
  spares?: true;
  /** Set if refs are in a remote that a checkout names: each host asks its own checkout for the URL. */
  remote?: { name: string; checkout: string };
  /** Notes for a person, for example on submodules that stay empty. */
  notes?: readonly string[];
}

/** Runs the step's commands in the worktree, with its environment. */
export type Setup = (folder: string, env: Readonly<Record<string, string>>) => Promise<void>;

export interface OpenWorktree {
  /** Absolute and real; in no checkout. */
  folder: string;
  /** `THERMIDOR_PORT_BASE`, and variables that keep imports from resolving elsewhere. */
  env: Readonly<Record<string, string>>;
  branch: string;
  /** Its current commit. */
  commit: string;
  /** When it was made on this host, ISO 8601: what was not pushed before is not in it. */
  createdAt: string;
  /**
   * In words: what was changed in the worktree since it was last saved, by none of the run's steps, and where these changes are now: no
   * longer in the worktree.
   */
  unattended?: string;
}
