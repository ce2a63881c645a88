import type { WorktreeLease } from '../plan/run/worktree';
import type { RunKey } from '../records/ledger';
import type { Signature } from './git-port';

/**
 * The worktrees of one host. Every call may run twice, also after a crash in the middle. Calls fail with the codes of `REPOSITORY_PROBLEMS`, and with
 * `worktree.unavailable` where a worktree cannot be had: work never falls back to the checkout.
 */
export interface HostWorktrees {
  /** Stable over restarts of its workers: workers that share the folder of worktrees are one host. */
  host(): Promise<string>;
  /** How long a host may be silent before another may take over, in milliseconds. @default 30000 */
  silentMs?: number;
  /** Whether a host has given a sign of life lately, by the clock of the store that they share. */
  isAlive(host: string): Promise<boolean>;
  /** Resolves the repository and the base. What it answers with is recorded before anything is made, so that every host makes the same. */
  resolve(wanted: WantedWorktree, signal: AbortSignal): Promise<WorktreePlan>;
  /**
   * What a run ref is at, with its commits brought to this host; undefined where there is no such ref. A worktree that is taken over begins from
   * the ref of an epoch before, that of a rerun from the ref of the run before.
   */
  pushed(plan: WorktreePlan, ref: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Makes the worktree at a commit, or finds it; copies files and takes ports. `setup` runs before the first answer, and again where it did not
   * complete. `discard`: one that is found goes back to what was saved last (the run ref, else `commit`); ignored files stay.
   */
  open(
    at: WorktreePlace,
    plan: WorktreePlan,
    commit: string,
    setup: Setup,
    signal: AbortSignal,
    options?: { discard?: boolean },
  ): Promise<OpenWorktree>;
  /** Commits all that has changed and pushes HEAD to the run's ref; nothing moves where another epoch has the slot. */
  save(at: WorktreePlace, plan: WorktreePlan, commit: { message: string; signature: Signature }, signal: AbortSignal): Promise<string>;
  /** Pushes HEAD as it is, and commits nothing: for what somebody at work there has committed. */
  push(at: WorktreePlace, plan: WorktreePlan, signal: AbortSignal): Promise<string>;
  /** `teardown`, then the folder, its branch, ports and record. Without `keep`; with it only `teardown`. */
  close(at: WorktreePlace, plan: WorktreePlan, teardown: Setup, signal: AbortSignal): Promise<void>;
}

/** Which worktree of which run. */
export interface WorktreePlace {
  key: RunKey;
  slot: string;
  epoch: number;
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
}

/** Runs the step's commands in the worktree, with its environment. */
export type Setup = (folder: string, env: Readonly<Record<string, string>>) => Promise<void>;

export interface OpenWorktree {
  /** Absolute and real; in no checkout. */
  folder: string;
  /** `THERMIDOR_PORT_BASE`, and what keeps imports from resolving elsewhere. */
  env: Readonly<Record<string, string>>;
  branch: string;
}
