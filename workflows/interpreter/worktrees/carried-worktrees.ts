import { defined } from '../../../plan/defined';
import { runRef } from '../../../plan/run/run-ref';
import type { CarriedWorktree } from '../../../plan/run/worktree';
import { isWithin } from '../../../plan/steps/address';
import type { Run } from '../run';
import { keptCommitsOf } from '../state/kind-state';
import type { SlotState } from '../state/state';
import type { StepRecord } from '../state/step-record';

type Records = Readonly<Record<string, StepRecord>>;

/**
 * What a rerun finds in the worktrees of carried steps: the state in which the last of these left it. Work of steps that run again is not
 * in it.
 */
export function carriedWorktrees({ state, ctx }: Run, records: Records): Record<string, CarriedWorktree> {
  const last = new Map<string, { commit: string; atMs: number }>();
  for (const { output: { worktree } = {}, times: { endedAtMs = 0 } = {}, carried } of Object.values(records)) {
    if (!worktree || !carried || (last.get(worktree.slot)?.atMs ?? -1) > endedAtMs) continue;
    last.set(worktree.slot, { commit: worktree.commit, atMs: endedAtMs });
  }
  for (const { slot, commit, isDecisive } of Object.values(records).flatMap(keptCommitsOf))
    if (isDecisive || !last.has(slot)) last.set(slot, { commit, atMs: 0 });
  const found: Record<string, CarriedWorktree> = {};
  for (const [slot, known] of Object.entries(state.worktrees ?? {})) {
    const commit = last.get(slot)?.commit;
    const left = commit === undefined && isOfItem(slot, records) ? leftIn(known) : undefined;
    const carried = commit !== undefined || left ? carriedFrom(ctx.info, slot, known) : undefined;
    if (carried) found[slot] = { ...carried, ...defined({ commit, left }) };
  }
  return found;
}

/** For a finished loop, which is carried over as one: its items have no records of their own. */
function isOfItem(slot: string, records: Records): boolean {
  return Object.entries(records).some(([path, { state, carried }]) => carried && state === 'done' && isWithin(slot, path));
}

/** What steps have left in a worktree, by id. */
export function leftIn({ left, carried }: SlotState): Record<string, string> | undefined {
  return left ?? carried?.left;
}

/** What was left in a worktree, for another slot to begin with. */
export function carriedFrom(
  { workflowId, firstRunId: run }: Run['ctx']['info'],
  slot: string,
  { lease, carried }: SlotState,
): CarriedWorktree | undefined {
  if (!lease) return carried;
  const { repository, refsIn, base, commit, epoch } = lease;
  return { repository, refsIn, base, commit, ref: runRef(run, slot, epoch), madeIn: { workflowId, run, slot } };
}
