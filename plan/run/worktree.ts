/** What the run knows of a worktree, and what an activity in it is given. Plain JSON. */

/**
 * A worktree on a host for as long as the run needs it there. A host that stops answering loses it: another one takes it over from the ref, with the
 * next epoch. The epoch is in the ref's name, so what the old host still pushes is read by nobody.
 */
export interface WorktreeLease {
  /** The path of the step whose worktree it is: `build`, `parts[3]/write`. */
  slot: string;
  /** From 1; one more with each host that takes it over. */
  epoch: number;
  /** Its activities wait on the host's own queue. */
  host: string;
  /** Real path, or URL without credentials: the same for every host that works with it. */
  repository: string;
  /** Where run refs go: the repository itself, or its remote. */
  refsIn: 'repository' | 'remote';
  /** What it was made from. */
  base: string;
  /** What it was at when a try in it ended last; at first the base. */
  commit: string;
  /** Without `refs/heads/`. */
  branch: string;
}

/** Which worktree an activity works in, and from which commit. */
export type WorktreeUse = Pick<WorktreeLease, 'slot' | 'epoch' | 'commit'>;

/** What a try has left in its worktree. */
export interface WorktreeSaved {
  slot: string;
  epoch: number;
  /** Pushed to `runRef(run, slot, epoch)`. */
  commit: string;
}

export interface ClaimWorktreeInput {
  run: string;
  slot: string;
  /** The lease whose host no longer answers. Answered with it unchanged while that host is alive. Absent: the worktree is made. */
  held?: WorktreeLease;
  /** What an earlier run left in the same slot: of a rerun. */
  carried?: Pick<WorktreeLease, 'repository' | 'refsIn' | 'base' | 'commit'>;
}

export interface CloseWorktreeInput {
  run: string;
  lease: WorktreeLease;
}

/** Where the activities of a host wait. */
export function hostQueue(taskQueue: string, host: string): string {
  return `${taskQueue}:host:${host}`;
}
