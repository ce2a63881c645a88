import { isSettled } from '../../../plan/run/step-state';
import { isWithin } from '../../../plan/steps/address';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { pathById } from './expression-scope';

/**
 * A step within another may be about to read what a parallel review has just sent back: it waits for the new round, because the old output
 * is nobody's input any more. Steps of one block wait by their order.
 */
export async function waitForPendingInputs(it: Interpreter, place: Place): Promise<void> {
  const { run } = it;
  for (let open = unsettledInput(it, place); open !== undefined; open = unsettledInput(it, place)) {
    it.rest(place);
    await run.sleepUntilWoken(settledWakeKey(open), place.path);
    it.resume(place);
  }
}

/** The key that wakes those that wait for a step to settle. */
export function settledWakeKey(path: string): string {
  return `settled:${path}`;
}

/** Whether it has to wait: most steps never do, and pay for no promise. */
export function hasPendingInputs(it: Interpreter, place: Place): boolean {
  return unsettledInput(it, place) !== undefined;
}

/** The path of a step, further out, that is to be read and has a round in progress. */
function unsettledInput({ run }: Interpreter, { step, frame }: Place): string | undefined {
  if (!frame.container) return undefined;
  for (const id of step.inputs ?? []) {
    const path = pathById(run, frame, id);
    const record = path === undefined || isOwn(id, frame) ? undefined : run.state.records[path];
    // The first round has not begun: the step was let through on purpose, as by `always()`.
    if (path !== undefined && record && !isSettled(record.state) && record.round > 1 && !hasCalled(run, path, frame)) return path;
  }
  return undefined;
}

/** It itself waits for the work done here, on its behalf. */
function hasCalled(run: Interpreter['run'], path: string, frame: Place['frame']): boolean {
  for (let outer = frame.container; outer; outer = outer.frame.container) {
    const { calledBy } = run.state.records[outer.path]?.brief ?? {};
    if (calledBy !== undefined && (calledBy === path || isWithin(calledBy, path))) return true;
  }
  return false;
}

function isOwn(id: string, { places }: Place['frame']): boolean {
  return places.some(({ step }) => step.id === id);
}
