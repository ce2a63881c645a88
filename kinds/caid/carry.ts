import type { OfferedCommit } from '../../plan/queue/landing';
import { carriedFrom } from '../../workflows/interpreter/worktrees/carried-worktrees';
import type { TeamStep } from './team';

/**
 * Has a part begin with what another has left in its worktree, on whatever host: the ref of the run has it. Nothing where there is no such worktree, or the
 * part has begun.
 */
export function carryWork({ it: { run } }: TeamStep, { slot, commit }: Pick<OfferedCommit, 'slot' | 'commit'>, to: string): void {
  const known = run.state.worktrees?.[slot];
  const carried = known && carriedFrom(run.ctx.info, slot, known);
  if (!carried || run.state.worktrees?.[to]) return;
  run.state.worktrees = { ...run.state.worktrees, [to]: { carried: { ...carried, commit } } };
}
