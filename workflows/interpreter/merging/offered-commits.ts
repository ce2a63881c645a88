import type { OfferedCommit } from '../../../plan/queue/landing';
import { runRef } from '../../../plan/run/run-ref';
import { isWithin } from '../../../plan/steps/address';
import type { Run } from '../run';
import { type Frame, type Place, pathOf, stepIdAt } from '../scheduling/place';
import { pathById } from '../steps/expression-scope';
import { leftIn } from '../worktrees/carried-worktrees';

type OfferedAt = [path: string, from: OfferedCommit];

/** The commit of a step in a worktree; undefined if it has none. */
export function offeredBy(run: Run, path: string): OfferedCommit | undefined {
  const { state, output } = run.state.records[path] ?? {};
  return state === 'done' && output?.worktree ? offeredFrom(run, output.worktree.slot, output.worktree.commit) : undefined;
}

/** A commit of one of the run's worktrees; undefined if the run has no such worktree. */
export function offeredFrom({ state, ctx }: Run, slot: string, commit: string): OfferedCommit | undefined {
  const { lease, carried } = state.worktrees?.[slot] ?? {};
  if (!lease) {
    if (!carried) return undefined;
    const { repository, refsIn, ref, madeIn } = carried;
    return { slot, commit, repository, refsIn, ref, madeIn };
  }
  const { repository, refsIn, epoch } = lease;
  return { slot, commit, repository, refsIn, ref: runRef(ctx.info.firstRunId, slot, epoch) };
}

/**
 * The commits of some steps with the steps' paths, in their order; for a step within a loop each item in turn. Steps that were skipped, or
 * that failed and let the others continue, have none.
 */
export function offeredByAll(run: Run, { frame }: Place, steps: readonly string[]): OfferedAt[] {
  return steps.flatMap((id): OfferedAt[] => {
    const path = pathById(run, frame, id);
    if (path === undefined) return offeredByItems(run, frame, id);
    const from = offeredBy(run, path);
    return from ? [[path, from]] : [];
  });
}

/** Finished items have no records: their worktrees know what each step has left. */
function offeredByItems(run: Run, frame: Frame, id: string): OfferedAt[] {
  const around = loopAround(run, frame, id);
  if (around === undefined) return [];
  const found = Object.entries(run.state.worktrees ?? {}).flatMap(([slot, known]): OfferedAt[] => {
    const commit = leftIn(known)?.[id];
    const from = commit !== undefined && isWithin(slot, around) ? offeredFrom(run, slot, commit) : undefined;
    return from ? [[stepIdAt(slot) === id ? slot : `${slot}/${id}`, from]] : [];
  });
  return found.sort(([one], [other]) => indexWithin(one, around) - indexWithin(other, around));
}

/** The path of the loop around a step that the frame is not within; of several the outermost. */
function loopAround(run: Run, frame: Frame, id: string): string | undefined {
  for (let at = run.steps.get(id)?.container; at; at = at.container) {
    const path = pathOf(at, frame);
    if (path !== undefined) return path;
  }
  return undefined;
}

function indexWithin(path: string, container: string): number {
  return Number(/^\[(\d+)\]/.exec(path.slice(container.length))?.[1] ?? 0);
}
