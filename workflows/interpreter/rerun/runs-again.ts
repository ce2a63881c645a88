import { judges } from '../../../kinds/questions';
import { isSettled } from '../../../plan/run/step-state';
import { isWithin } from '../../../plan/steps/address';
import type { ControlStep } from '../../../plan/steps/control';
import { everyStep, stepsWithin } from '../../../plan/steps/walk';
import type { Place } from '../scheduling/place';
import { verdictInState } from '../state/kind-state';
import { type CarryState, holdsAny } from './carry-state';

/** Which steps a rerun runs again, and which of these have finished their work already. */

/** Whether a step runs again for its own sake, or for something within it. */
export function runsAgain(to: CarryState, place: Place): boolean {
  const { step, path, frame } = place;
  if (path === to.start.path || isWithin(to.start.path, path)) return true;
  if (isForced(to, place) || holdsForced(to, step) || holdsAny(path, to.readers)) return true;
  const record = to.run.state.records[path];
  if (!record || !isSettled(record.state)) return true;
  if (record.state === 'done') return false;
  if (record.state === 'failed') return !record.error?.tolerated;
  // Begun work was cancelled, unless it had failed. Branches that never began may be needed now.
  return record.times?.startedAtMs === undefined ? frame.kind === 'branches' : record.error === undefined;
}

export function isForced({ forced, readers }: CarryState, { step, path }: Place): boolean {
  return forced.has(step.id) || readers.has(path);
}

export function holdsForced({ forced }: CarryState, step: ControlStep): boolean {
  for (const { id } of everyStep<ControlStep>(stepsWithin<ControlStep>(step))) if (forced.has(id)) return true;
  return false;
}

/** Whether a step that was cancelled, or broke off with its run, has done its work, and only a person's decision or a verdict is left. */
export function hasItsWork(to: CarryState, place: Place): boolean {
  const { step, path } = place;
  const record = to.run.state.records[path];
  if (!record?.output?.artifact || record.error || step.category !== undefined || path === to.start.path || isForced(to, place))
    return false;
  if (record.state === 'done' || record.state === 'failed' || record.state === 'pending') return false;
  return (step.approval !== undefined && record.asked?.question !== undefined) || (judges(step) && verdictInState(record) !== undefined);
}
