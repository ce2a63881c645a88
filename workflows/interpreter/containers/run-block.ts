import { goesOverItems } from '../../../kinds/questions';
import { locatedFailure, ThermidorFailure } from '../../../plan/run/failure';
import { failureOfEntry } from '../context/scope-log';
import type { FrameOwner, Interpreter } from '../interpreter';
import { cancelFrame, openFrame, retireFrame } from '../scheduling/frames';
import { type Frame, type Place, pathWithin } from '../scheduling/place';
import { attemptOf } from '../state/step-record';

/** How a block within a container ended. */
export type BlockEnd = 'done' | Stopped;
type Stopped = { place: Place; failure: ThermidorFailure };

/**
 * Runs the block of a container to its end. Fails with what a step in it failed with, after what else was in progress has been
 * cancelled; or with `step.timeout` where the container's time runs out first.
 */
export async function runBlock(it: Interpreter, frame: Frame, container: Place): Promise<void> {
  let end: BlockEnd | undefined;
  const name = `block:${container.path}[${frame.iteration ?? ''}]`;
  const settle = (how: BlockEnd): void => {
    end ??= how;
    it.run.wake(name);
  };
  const owner: FrameOwner = { done: () => settle('done'), stopped: (place, failure) => settle({ place, failure }) };
  // It may have failed in an earlier execution that closed before its container went on.
  const before = failedBefore(it, frame);
  if (before) settle(before);
  else openFrame(it, frame, owner);
  // Items have the time of their loop, which watches it for all of them.
  if (!goesOverItems(container.step)) await untilEnd(it, container, name, () => end !== undefined);
  else while (end === undefined) await it.run.sleepUntilWoken(name, pathWithin(container.path, frame.iteration, '-'));
  if (end === 'done') return retireFrame(it, frame);
  if (end === undefined) {
    cancelFrame(it, frame, 'the time of the step around it ran out');
    const inRound = frame.iteration === undefined ? '' : `, in round ${frame.iteration}`;
    throw new ThermidorFailure('step.timeout', `${it.run.name(container.path)} did not end within its time${inRound}`);
  }
  const { place, failure } = end;
  cancelFrame(it, frame, `${it.run.name(place.path)} failed`);
  // Other iterations may wait for the slots that this one has given back, and nothing else may wake them.
  it.pump();
  throw locatedFailure(failure, it.run.name(place.path));
}

/** A step that failed and that nothing lets the block continue past. */
function failedBefore({ run }: Interpreter, { places }: Frame): Stopped | undefined {
  for (const place of places) {
    const { state, error } = run.state.records[place.path] ?? {};
    if (state === 'failed' && error && !error.tolerated) return { place, failure: failureOfEntry(error) };
  }
  return undefined;
}

/** Waits until something within a container says that it has ended, or until the container's time is up. */
export async function untilEnd(it: Interpreter, container: Place, name: string, ended: () => boolean): Promise<void> {
  const { run } = it;
  const { path, step } = container;
  const attempt = attemptOf(run.record(path));
  if (step.timeoutMs !== undefined) attempt.deadlineMs ??= run.ctx.now() + step.timeoutMs;
  while (!ended()) {
    if (attempt.deadlineMs === undefined) await run.sleepUntilWoken(name, path);
    else if (await run.until(attempt.deadlineMs, path, name)) return;
  }
}
