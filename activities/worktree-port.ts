import type { ClosedWorktree, WorktreeLease } from '../plan/run/worktree';
import type { RunKey } from '../records/ledger';
import type { Signature } from './git-model';

/**
 * The worktrees of one host. Every call may run twice, also after a crash in the middle. Calls fail with the codes of `REPOSITORY_PROBLEMS`, and with
 * `worktree.unavailable` where a worktree cannot be had: work never falls back to the checkout.
 */
export interface HostWorktrees {
  /** Stable over restarts of its workers: workers that share the folder of worktrees are one host. */
  host(): Promise<string>;
  /** How long a host may be silent before another may take over, in milliseconds. @default 30000 */
  silentMs?: number;
  /** Gives signs of life of this host until what it answers with is called; the first is given when it answers. */
  announce(): Promise<() => Promise<void>>;
  /** Whether a host has given a sign of life lately, by the clock of the store that they share. */
  isAlive(host: string): Promise<boolean>;
  /** Resolves the repository and the base. What it answers with is recorded before anything is made, so that every host makes the same. */
  resolve(wanted: WantedWorktree, signal: AbortSignal): Promise<WorktreePlan>;
  /**
   * What a run ref is at, with its commits brought to this host; undefined where there is no such ref. A rerun begins with what the run before
   * has pushed.
   */
  pushed(plan: WorktreePlan, ref: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Finds the worktree as it was left, or makes it: at what was pushed last in its slot, else at the commit. Copies files and takes ports. `setup` runs
   * before the first answer, and again where it did not complete.
   */
  open(at: WorktreePlace, plan: WorktreePlan, commit: string, setup: Setup, signal: AbortSignal): Promise<OpenWorktree>;
  /** A folder within a worktree that is open, by its path from there; no link leads out of it. Fails with `agent.no-folder`. */
  folderIn(folder: string, path: string): Promise<string>;
  /** Back to a commit, on its own branch, whatever was done in it. Ignored files stay. */
  restore(at: WorktreePlace, plan: WorktreePlan, commit: string, signal: AbortSignal): Promise<void>;
  /**
   * Ends what a step has left running, commits all that has changed to the worktree's own branch, and pushes it to the run's ref, whether or not that descends from what was there. Answers with the
   * commit. Fails with `worktree.unavailable` where a process does not end, with `worker.lost` where another epoch has the slot: nobody reads what was pushed then.
   */
  save(at: WorktreePlace, plan: WorktreePlan, commit: { message: string; signature: Signature }, signal: AbortSignal): Promise<string>;
  /**
   * Brings what is in it on top of a commit, unless it is: its own commits where that comes to the same, else as one; a conflict is in the files, between
   * markers. Commits what was not committed.
   */
  update(at: WorktreePlace, plan: WorktreePlan, to: WorktreeUpdate, signal: AbortSignal): Promise<void>;
  /** Pushes HEAD as it is, and commits nothing: for what somebody at work there has committed. */
  push(at: WorktreePlace, plan: WorktreePlan, signal: AbortSignal): Promise<string>;
  /** `teardown`, then the folder, its branch, ports and record. Without `keep`; with it only `teardown`. */
  close(at: WorktreePlace, plan: WorktreePlan, teardown: Setup | undefined, signal: AbortSignal): Promise<ClosedWorktree>;
}

/** Which worktree of which run. */
export interface WorktreePlace {
  key: RunKey;
  slot: string;
  epoch: number;
  /** The path of the step at work, where several are at once: what one leaves running ends with it alone, and nothing that another writes is discarded. */
  sharedBy?: string;
  /** The path of the step at work. What another has left there that was not saved is none of its. Absent: of what is at work for all of them, such as `setup`. */
  step?: string;
}

/** The commit that a worktree is brought on top of, and the words of the commit that this makes. */
export interface WorktreeUpdate {
  onto: string;
  message: string;
  signature: Signature;
}

/** As the step has it, rendered. */
export interface WantedWorktree {
  /** A path, or a URL. @default the worker's own folder */
  repo?: string;
  /** `origin`: base and refs are the remote's. @default the repository's own */
  remote?: string;
  /** @default HEAD, or the remote's default branch */
  base?: string;
  copy?: readonly string[];
  keep?: true;
}

export interface WorktreePlan extends Pick<WorktreeLease, 'repository' | 'refsIn' | 'base'> {
  copy: readonly string[];
  keep: boolean;
  /** Where refs are a remote's that a checkout names: each host asks its own checkout for the URL. */
  remote?: { name: string; checkout: string };
  /** What a person should know of it, such as submodules that stay empty. */
  notes?: readonly string[];
}

/** Runs the step's commands in the worktree, with its environment. */
export type Setup = (folder: string, env: Readonly<Record<string, string>>) => Promise<void>;

export interface OpenWorktree {
  /** Absolute and real; in no checkout. */
  folder: string;
  /** `THERMIDOR_PORT_BASE`, and what keeps imports from resolving elsewhere. */
  env: Readonly<Record<string, string>>;
  branch: string;
  /** What it is at. */
  commit: string;
  /** When it was made on this host, ISO 8601: what was not pushed before is not in it. */
  createdAt: string;
  /** In words, what was changed in it since it was saved last, by nobody who was at work there, and where that is now: no longer in it. */
  unattended?: string;
}
