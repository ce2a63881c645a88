import { isJsonObject } from '../text/json';

/** What the run knows of a worktree, and what activities in it are given. Plain JSON. */

/**
 * A worktree on a host for as long as the run needs it there. A host that stops answering loses it: another one takes it over from the ref,
 * with the next epoch. The epoch is in the ref's name, so nobody reads what the old host still pushes.
 */
export interface WorktreeLease {
  /** The path of the step whose worktree it is: `build`, `parts[3]/write`. */
  slot: string;
  /** Counts from 1; one more for each host that takes it over. */
  epoch: number;
  /** Its activities wait on the host's own queue. */
  host: string;
  /** Real path, or URL without credentials: the same for every host that works with it. */
  repository: string;
  /** Where run refs are pushed: the repository itself, or its remote. */
  refsIn: 'repository' | 'remote';
  /** The commit from which it was made. */
  base: string;
  /** Its commit when a try in it last ended; at first the base. */
  commit: string;
  /** The branch without `refs/heads/`. */
  branch: string;
  /** How long its host may be silent, without a heartbeat or without taking up work, before its life is checked. */
  silentMs: number;
}

/** Which worktree an activity works in, and from which commit. */
export interface WorktreeUse extends Pick<WorktreeLease, 'slot' | 'epoch' | 'commit'> {
  /** It is first brought up to date with this commit, unless it is on top of it. */
  onto?: string;
}

/** What a try has left in its worktree. */
export interface WorktreeSaved {
  slot: string;
  epoch: number;
  /** Pushed to `runRef(run, slot, epoch)`. */
  commit: string;
  /** In words, what was changed there before the try by none of the run's steps, and where it is now: it is not in the commit. */
  unattended?: string;
}

/** What is learned of a worktree when it ends. */
export interface ClosedWorktree {
  /** In words, what was changed there since the last step worked there: it is gone, unless the worktree is kept. */
  unattended?: string;
  /** It is still there, with what it has. */
  isKept?: true;
}

/** A worktree that a turn of a part is given, although its step has none. */
export interface PartWorktree {
  slot: string;
  /** The path of the step that says how it is made. */
  owner: string;
  /** What lists call it. */
  label?: string;
}

export function isWorktreeSaved(value: unknown): value is WorktreeSaved {
  if (!isJsonObject(value)) return false;
  const { slot, epoch, commit, unattended = '' }: Partial<Record<keyof WorktreeSaved, unknown>> = value;
  if (typeof unattended !== 'string') return false;
  return typeof slot === 'string' && typeof epoch === 'number' && typeof commit === 'string';
}

/** What an earlier run left in a worktree, from which a rerun begins in the same slot. */
export interface CarriedWorktree extends Pick<WorktreeLease, 'repository' | 'refsIn' | 'base' | 'commit'> {
  /** The run ref that has the commit. */
  ref: string;
  /** The ledger of the run that made it says how it was prepared. */
  madeIn: MadeIn;
  /** The work that steps have left in it, by id, if it belongs to a finished item of a loop, which has no records. */
  left?: Record<string, string>;
}

/** The run, by workflow id and first execution, and the slot that it had there. */
export interface MadeIn {
  workflowId: string;
  run: string;
  slot: string;
}

export function isCarriedWorktree(value: unknown): value is CarriedWorktree {
  if (!isJsonObject(value)) return false;
  const { refsIn, left = {}, repository, base, commit, ref, madeIn }: Partial<Record<keyof CarriedWorktree, unknown>> = value;
  if (!isJsonObject(left) || !isJsonObject(madeIn) || (refsIn !== 'repository' && refsIn !== 'remote')) return false;
  const { workflowId, run, slot } = madeIn;
  return [repository, base, commit, ref, workflowId, run, slot, ...Object.values(left)].every((text) => typeof text === 'string');
}

/** How often the worktree of a slot is made, on one host after the other, for one try of a step. */
export const MOST_EPOCHS = 6;

/** The queue on which the activities of a host wait. */
export function hostQueue(taskQueue: string, host: string): string {
  return `${taskQueue}:host:${host}`;
}
