import { ThermidorFailure } from '../../plan/run/failure';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import type { LoopRecord } from '../../workflows/interpreter/containers/container-record';
import {
  closeIteration,
  composeLoopParts,
  fetchItemNames,
  fetchItemValues,
  openLoop,
  wantsNames,
} from '../../workflows/interpreter/containers/loop';
import { runBlock } from '../../workflows/interpreter/containers/run-block';
import { type TimeLimit, timeLimitOf } from '../../workflows/interpreter/containers/time-limit';
import type { FailureRecord } from '../../workflows/interpreter/context/attempt-log';
import { failureOfEntry, failureRecord } from '../../workflows/interpreter/context/scope-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { ADMISSION } from '../../workflows/interpreter/run';
import { type Deadline, isPast, openDeadline } from '../../workflows/interpreter/scheduling/deadline';
import { cancelFrame } from '../../workflows/interpreter/scheduling/frames';
import { type Frame, isSuperseded, makeFrame, type PlaceOf } from '../../workflows/interpreter/scheduling/place';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { Cancelled } from '../../workflows/run-context';
import { performStream } from './run-stream';

type LoopPlace = PlaceOf<'for_each'>;

/** The iterations in progress in this execution. */
interface Turn {
  frames: Set<Frame>;
  /** How many have ended: the loop waits for it to grow. */
  ended: number;
  /** When the time of the loop is up. */
  limit: TimeLimit;
  failed: FailedItems;
}

/** Iterations that have failed in this try, and the first failure. The log of the try has it; the next try takes them up again. */
interface FailedItems {
  items: number[];
  failure?: FailureRecord;
}

/**
 * A block once for each item. Workflow state holds the iterations in progress and references; items and results are in the store: ten
 * thousand items are a normal loop.
 *
 * Invariants: 1. iterations begin in the order of the items; 2. at most `maxConcurrent` are in progress; 3. one that fails lets the others
 * end, then fails the loop; another try of the loop continues with the unfinished ones.
 */
export async function performForEach(it: Interpreter, place: LoopPlace, record: StepRecord, ctx: StepContext): Promise<undefined> {
  if (place.step.stream !== undefined) return performStream(it, place, record, ctx);
  const { run } = it;
  const { path } = place;
  const loop = await openLoop(it, place, record);
  // Its list was ready before the cancellation came: nothing would cancel what begins now.
  if (isSuperseded(place)) throw new Cancelled();
  const failed = ctx.once('failed', (): FailedItems => ({ items: [] }));
  const turn: Turn = { frames: new Set(), ended: 0, limit: timeLimitOf(it, place, ctx, sleeperOf(place)), failed };
  for (const index of loop.live) if (!failed.items.includes(index)) startIteration(it, place, loop, index, turn);
  const deadline = openDeadline(run, path, sleeperOf(place), 'many');
  try {
    await untilThrough(it, place, loop, turn, deadline);
  } finally {
    deadline.close();
    turn.limit.close();
  }
  if (failed.failure) throw failureOfEntry(failed.failure);
  await composeLoopParts(it, place, loop, 'rest');
  delete loop.values;
  await composeOutput(it, place, { kind: 'parts', parts: loop.parts });
  return undefined;
}

/** Runs until each item is done, or the first has failed and the others in progress have ended. */
async function untilThrough(it: Interpreter, place: LoopPlace, loop: LoopRecord, turn: Turn, deadline: Deadline): Promise<void> {
  while (turn.frames.size > 0 || (loop.next < loop.total && !turn.failed.failure)) {
    const { ended, frames } = turn;
    await startMore(it, place, loop, turn);
    if (frames.size > 0) while (turn.ended === ended && !isPast(it.run, turn.limit.dueMs)) await deadline.wait(turn.limit.dueMs);
    if (turn.ended === ended && isPast(it.run, turn.limit.dueMs)) {
      for (const frame of frames) cancelFrame(it, frame, 'the time of the loop ran out');
      const name = it.run.name(place.path);
      throw new ThermidorFailure('step.timeout', `${name} did not end within its time, at item ${loop.next} of ${loop.total}`);
    }
    await composeLoopParts(it, place, loop);
  }
}

function sleeperOf({ path }: LoopPlace): string {
  return `loop:${path}`;
}

/** Begins as many iterations as may be in progress; between two batches it pauses. */
async function startMore(it: Interpreter, place: LoopPlace, loop: LoopRecord, turn: Turn): Promise<void> {
  const { run } = it;
  const { step } = place;
  while (!turn.failed.failure && loop.next < loop.total && turn.frames.size < (step.maxConcurrent ?? 1)) {
    run.drainIfDue();
    if (run.halted) {
      if (turn.frames.size > 0) return;
      await run.sleepUntilWoken(ADMISSION);
      continue;
    }
    if (isBetweenBatches(place, loop) && turn.frames.size > 0) return;
    if (loop.resumeAtMs !== undefined) {
      await run.until(Math.min(loop.resumeAtMs, turn.limit.dueMs ?? loop.resumeAtMs), place.path);
      if (run.ctx.now() < loop.resumeAtMs) return;
      delete loop.resumeAtMs;
    }
    await fetchItemValues(it, place, loop, loop.next);
    // An unnecessary wait would change the order of simultaneous events.
    if (wantsNames(loop, loop.next)) await fetchItemNames(it, place, loop, loop.next);
    const index = loop.next;
    loop.next += 1;
    loop.live.push(index);
    startIteration(it, place, loop, index, turn);
  }
}

/** A loop that pauses lets a batch end before the next begins. */
function isBetweenBatches({ step }: LoopPlace, { next }: LoopRecord): boolean {
  return step.pauseMs !== undefined && next > 0 && next % (step.batchSize ?? 1) === 0;
}

function beginPause({ run }: Interpreter, place: LoopPlace, loop: LoopRecord): void {
  const { pauseMs } = place.step;
  const isDue = loop.live.length === 0 && loop.next < loop.total && isBetweenBatches(place, loop);
  if (pauseMs !== undefined && isDue) loop.resumeAtMs = run.ctx.now() + pauseMs;
}

function startIteration(it: Interpreter, place: LoopPlace, loop: LoopRecord, index: number, turn: Turn): void {
  const frame = makeFrame({ block: place.step.block, kind: 'block', container: place, iteration: index });
  turn.frames.add(frame);
  it.run.spawn(async () => {
    try {
      await runBlock(it, frame, place);
      closeIteration(it, place, loop, index);
      beginPause(it, place, loop);
    } catch (error) {
      turn.failed.items.push(index);
      turn.failed.failure ??= failureRecord(error);
    } finally {
      turn.frames.delete(frame);
      turn.ended += 1;
      it.run.wake(sleeperOf(place));
    }
  });
}
