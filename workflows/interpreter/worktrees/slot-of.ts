import { goesInRounds } from '../../../kinds/questions';
import type { PartWorktree } from '../../../plan/run/worktree';
import type { Run } from '../run';
import { type Place, stepIdAt } from '../scheduling/place';
import { pathById } from '../steps/expression-scope';

/**
 * A worktree of the run, by the step that owns it. The slot is the path of its owner; all rounds of a block share one worktree, so their
 * numbers are left out. The owner's own path has them.
 */
export interface WorktreeSlot extends PartWorktree {
  /** Several work there at once. */
  isShared?: true;
}

/** The worktree in which a step works; undefined if it has none. */
export function slotOf(run: Run, { step, path, frame }: Place): WorktreeSlot | undefined {
  const { worktree } = step;
  const given = run.state.records[path]?.brief?.worktree;
  if (given) return given;
  if (!worktree) return undefined;
  if (!('of' in worktree) && worktree.shared) return { slot: sharedSlot(run, path), owner: path, isShared: true };
  const owner = 'of' in worktree ? pathById(run, frame, worktree.of) : path;
  return owner === undefined ? undefined : { slot: withoutRounds(run, owner), owner };
}

/** The slot that all turns of a part share: its path without the turn. */
export function sharedSlot(run: Run, path: string): string {
  return withoutRounds(run, path.replace(/\[\d+\](?=\/[^/]*$)/, ''));
}

function withoutRounds(run: Run, path: string): string {
  const segments = path.split('/');
  return segments.map((segment) => (isOfRounds(run, segment) ? segment.replace(/\[\d+\]$/, '') : segment)).join('/');
}

function isOfRounds({ steps }: Run, segment: string): boolean {
  const step = steps.get(stepIdAt(segment).replace(/\[\d+\]$/, ''))?.step;
  return step !== undefined && goesInRounds(step);
}
