import { runRef } from '../../../plan/run/run-ref';
import type { CarriedWorktree } from '../../../plan/run/worktree';
import type { Run } from '../run';
import type { StepRecord } from '../state/step-record';

/**
 * What a rerun finds in the worktrees of steps that it carries over: what the last of these had left there. What steps that run again have done
 * in them is not in it.
 */
export function carriedWorktrees({ state, ctx }: Run, records: Readonly<Record<string, StepRecord>>): Record<string, CarriedWorktree> {
  const last = new Map<string, { commit: string; atMs: number }>();
  for (const { worktree, endedAtMs = 0, carried } of Object.values(records)) {
    if (!worktree || !carried || (last.get(worktree.slot)?.atMs ?? -1) > endedAtMs) continue;
    last.set(worktree.slot, { commit: worktree.commit, atMs: endedAtMs });
  }
  const found: Record<string, CarriedWorktree> = {};
  for (const [slot, { commit }] of last) {
    const { lease, carried } = state.worktrees?.[slot] ?? {};
    if (lease) {
      const { repository, refsIn, base, epoch } = lease;
      found[slot] = { repository, refsIn, base, commit, ref: runRef(ctx.info.firstRunId, slot, epoch) };
    } else if (carried) found[slot] = { ...carried, commit };
  }
  return found;
}
