import { goesOverItems } from '../../../kinds/questions';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { FailureRecord } from '../context/attempt-log';
import { locatedFailure } from '../context/scope-log';
import type { StepContext } from '../context/step-context';
import type { FrameOwner, Interpreter } from '../interpreter';
import { isPast, openDeadline } from '../scheduling/deadline';
import { cancelFrame, openFrame, retireFrame } from '../scheduling/frames';
import { type Frame, type Place, pathWithin } from '../scheduling/place';

/** How a block within a container ended. */
type BlockEnd = 'done' | { place: Place; failure: FailureRecord };

/**
 * Runs the block of a container to its end. Fails with the failure of a step in it, after other work in progress has been cancelled; or
 * with `step.timeout` if its time runs out first.
 * @param oneOf `many`: others like it run in parallel or follow, and their deadlines share a timer
 */
export async function runBlock(it: Interpreter, frame: Frame, container: Place, deadlineMs?: number, oneOf?: 'many'): Promise<void> {
  let end: BlockEnd | undefined;
  const name = `block:${container.path}[${frame.iteration ?? ''}]`;
  const settle = (how: BlockEnd): void => {
    end ??= how;
    it.run.wake(name);
  };
  const owner: FrameOwner = { done: () => settle('done'), stopped: (place, failure) => settle({ place, failure }) };
  openFrame(it, frame, owner);
  // Items have the time of their loop, which watches it for all of them.
  const path = goesOverItems(container.step) ? pathWithin(container.path, frame.iteration, '-') : container.path;
  await untilEnd(it, path, name, { dueMs: deadlineMs }, () => end !== undefined, oneOf);
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

/** When a try's time is up, counted from the first call; undefined if the step has no limit. */
export function deadlineOf({ run }: Interpreter, { timeoutMs }: Place['step'], ctx: StepContext): number | undefined {
  return timeoutMs === undefined ? undefined : ctx.once('deadline', () => run.ctx.now() + timeoutMs);
}

/** Waits until something within a container says that it has ended, or until the container's time is up. */
export async function untilEnd(
  { run }: Interpreter,
  path: string,
  name: string,
  limit: { readonly dueMs: number | undefined },
  ended: () => boolean,
  oneOf?: 'many',
): Promise<void> {
  const deadline = openDeadline(run, path, name, oneOf);
  try {
    while (!ended() && !isPast(run, limit.dueMs)) await deadline.wait(limit.dueMs);
  } finally {
    deadline.close();
  }
}
