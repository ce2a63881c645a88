import type { OfferedCommit } from '../../plan/queue/landing';
import { carriedFrom } from '../../workflows/interpreter/worktrees/carried-worktrees';
import type { TeamStep } from './team';

/**
 * Makes a part begin with what another has left in its worktree, on any host: the ref of the run has it. Does nothing if there is no such
 * worktree, or if the part has begun.
 */
export function carryWork({ it: { run } }: TeamStep, { slot, commit }: Pick<OfferedCommit, 'slot' | 'commit'>, to: string): void {
  const known = run.state.worktrees?.[slot];
  const carried = known && carriedFrom(run.ctx.info, slot, known);
  if (!carried || run.state.worktrees?.[to]) return;
  run.state.worktrees = { ...run.state.worktrees, [to]: { carried: { ...carried, commit } } };
}
