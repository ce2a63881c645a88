import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import { noteOutput } from '../state/step-record';
import { slotOf } from './slot-of';

/** What the parts of a step have left in its worktree, the step has left: merges and reruns ask the step, and not its parts. */
export function noteLeftByParts(run: Run, place: Place): void {
  const { step, path } = place;
  const at = 'parts' in step ? slotOf(run, place) : undefined;
  if (!at || at.isShared) return;
  const known = run.state.worktrees?.[at.slot];
  if (!known?.lease) return;
  const { commit } = known.lease;
  noteOutput(run.record(path), { worktree: { slot: at.slot, commit } });
  known.left = { ...known.left, [step.id]: commit };
}
