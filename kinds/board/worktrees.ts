import type { TaskState } from '../../plan/board/board-state';
import type { WorkOrder } from '../../plan/board/work-order';
import { defined } from '../../plan/defined';
import type { FailureCode } from '../../plan/run/failure';
import type { PartWorktree } from '../../plan/run/worktree';
import type { PartCall, StepContext } from '../../workflows/interpreter/context/step-context';
import { closeWorktreesOf } from '../../workflows/interpreter/worktrees/close-worktrees';
import { type Board, keepLeft, keptOf, slotOfTask, stateOf } from './board';

/**
 * Worktrees of tasks. Each has a slot of its own (`slotOfTask`) for all members and attempts.
 *
 * Invariants: 1. a WORK with a task that has a worktree works there, and fails if it cannot; 2. a worktree is closed once its task has
 * ended and nobody works there.
 */

/** Where a WORK works: in the worktree of its task, on top of what the merge queue wants it on. */
export function placeOfWork(board: Board, { worktree: number = 0 }: WorkOrder): Pick<PartCall, 'onto'> & { worktree: PartWorktree } {
  const { worktree: label, onto } = taskAt(board, number) ?? {};
  return { worktree: { slot: slotOfTask(board, number), owner: board.place.path, ...defined({ label }) }, ...defined({ onto }) };
}

/** The commit of a WORK's worktree. Undefined if nothing there has changed. */
export function changedIn(board: Board, { worktree }: Pick<WorkOrder, 'worktree'>): string | undefined {
  const { lease } = (worktree === undefined ? undefined : board.it.run.state.worktrees?.[slotOfTask(board, worktree)]) ?? {};
  return lease && lease.commit !== lease.base ? lease.commit : undefined;
}

/** A rerun begins with it. */
export function noteLeft(board: Board, order: WorkOrder): void {
  const commit = changedIn(board, order);
  if (commit !== undefined && order.worktree !== undefined) keepLeft(board, order.worktree, commit);
}

/** No member is to blame, and none works elsewhere instead. */
export function isOfPlace(code: FailureCode): boolean {
  return /^(worktree|repository)\./.test(code);
}

/** Ends the worktree of a task that has ended. One with changes that are nobody's work is kept; the journal has both. */
export async function closeEnded(board: Board, ctx: StepContext, task: number): Promise<void> {
  const slot = ctx.once('closes', () => (isOver(board, task) ? slotOfTask(board, task) : null));
  if (slot === null) return;
  await ctx.through('closed', () => closeWorktreesOf(board.it, [slot], { spares: true }));
  ctx.once('forgotten', () => {
    // A rerun goes on with a task that a person has left out.
    const { status, isWithdrawn } = taskAt(board, task) ?? {};
    if (status === 'dropped' && !isWithdrawn) return null;
    const { state } = board.it.run;
    const { [slot]: _closed, ...others } = state.worktrees ?? {};
    state.worktrees = others;
    const kept = keptOf(board);
    const { [task]: _left, ...left } = kept.worktrees ?? {};
    kept.worktrees = left;
    return null;
  });
}

function isOver(board: Board, task: number): boolean {
  if (stateOf(board).members.some(({ work }) => work?.worktree === task)) return false;
  // A task that is not in the state any more has ended.
  const { status = 'completed' } = taskAt(board, task) ?? {};
  return status === 'completed' || status === 'dropped';
}

function taskAt(board: Board, task: number): TaskState | undefined {
  return stateOf(board).tasks.find(({ number }) => number === task);
}
