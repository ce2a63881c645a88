import type { WorktreeLease } from '../../../plan/run/worktree';
import type { Run } from '../run';

/** What its host has found changed by nobody who was at work there. */
export function noteChanged({ journal }: Run, { slot, host, commit }: WorktreeLease, unattended: string | undefined): void {
  if (unattended !== undefined) journal.add({ kind: 'worktree', step: slot, event: 'changed', host, commit, reason: unattended });
}
