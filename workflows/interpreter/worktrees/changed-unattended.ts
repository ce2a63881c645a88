import type { WorktreeLease } from '../../../plan/run/worktree';
import type { Run } from '../run';

/** Notes changes that the host found, made by none of the run's steps. */
export function noteChanged({ journal }: Run, { slot, host, commit }: WorktreeLease, unattended: string | undefined): void {
  if (unattended !== undefined) journal.add({ kind: 'worktree', step: slot, event: 'changed', host, commit, reason: unattended });
}
