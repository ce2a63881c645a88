import { bug } from '../../plan/run/failure';
import type { WorktreeSaved } from '../../plan/run/worktree';
import type { RestoreWorktreeInput } from '../../plan/run/worktree-activities';
import type { ActivityCall } from '../activity-call';
import { loadRun } from '../run/load-run';
import type { Toolbox } from '../toolbox';
import { inWorktree } from './in-worktree';

/**
 * Restores a worktree, and its run's ref, to an earlier commit of it: later work there, on this host or another, begins from that commit.
 * Safe to run twice.
 */
export async function restoreWorktree(
  toolbox: Toolbox,
  call: ActivityCall,
  { worktree, to }: RestoreWorktreeInput,
): Promise<{ worktree: WorktreeSaved }> {
  const run = await loadRun(toolbox, call.key);
  const { saved } = await inWorktree(toolbox, call, run, worktree, { backTo: to }, async () => undefined);
  if (!saved) throw bug(`there is no worktree to put back to ${to}`);
  return { worktree: saved };
}
