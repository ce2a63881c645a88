import type { OfferedCommit } from '../../../plan/queue/landing';
import { runRef } from '../../../plan/run/run-ref';
import type { Run } from '../run';

/** The commit that a step has left in a worktree, as it is offered for merging; undefined where it has left none. */
export function offeredBy({ state, ctx }: Run, path: string): OfferedCommit | undefined {
  const { worktree } = state.records[path] ?? {};
  if (!worktree) return undefined;
  const { slot, commit } = worktree;
  const { lease, carried } = state.worktrees?.[slot] ?? {};
  if (!lease) return carried && { slot, commit, repository: carried.repository, refsIn: carried.refsIn, ref: carried.ref };
  const { repository, refsIn, epoch } = lease;
  return { slot, commit, repository, refsIn, ref: runRef(ctx.info.firstRunId, slot, epoch) };
}
