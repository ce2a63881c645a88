import { ThermidorFailure } from '../../plan/run/failure';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import type { LoopRecord } from '../../workflows/interpreter/containers/container-record';
import { closeIteration, composeLoopParts, fetchItemValues, openLoop } from '../../workflows/interpreter/containers/loop';
import { runBlock, untilEnd } from '../../workflows/interpreter/containers/run-block';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { ADMISSION } from '../../workflows/interpreter/run';
import { cancelFrame } from '../../workflows/interpreter/scheduling/frames';
import { type Frame, isSuperseded, makeFrame, type PlaceOf } from '../../workflows/interpreter/scheduling/place';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { Cancelled } from '../../workflows/run-context';

type LoopPlace = PlaceOf<'for_each'>;

/** The iterations in progress in this execution. */
interface Turn {
  frames: Set<Frame>;
  /** How many have ended: what the loop waits for is that it grows. */
  ended: number;
  failure?: ThermidorFailure;
}

/**
 * A block once for each item. Workflow state holds the iterations in progress and references; items, and what is done, are in the
 * store: ten thousand items are a normal loop.
 *
 * Invariants: 1. iterations begin in the order of the items; 2. at most `maxConcurrent` are in progress; 3. one that fails lets
 * the others end, then fails the loop; another try of the loop continues with what is not done.
 */
export async function performForEach(it: Interpreter, place: LoopPlace, record: StepRecord): Promise<undefined> {
  const { run } = it;
  const { path } = place;
  const loop = await openLoop(it, place, record);
  // Its list was there before it got the cancellation: nothing would cancel what begins now.
  if (isSuperseded(place)) throw new Cancelled();
  const turn: Turn = { frames: new Set(), ended: 0 };
  for (const index of loop.live) startIteration(it, place, loop, index, turn);
  while (turn.frames.size > 0 || (loop.next < loop.total && !turn.failure)) {
    const { ended, frames } = turn;
    await startMore(it, place, record, loop, turn);
    if (frames.size > 0) await untilEnd(it, place, sleeperOf(place), () => turn.ended > ended);
    if (turn.ended === ended && isLate(it, record)) {
      for (const frame of frames) cancelFrame(it, frame, 'the time of the loop ran out');
      throw new ThermidorFailure('step.timeout', `${run.name(path)} did not end within its time, at item ${loop.next} of ${loop.total}`);
    }
    await composeLoopParts(it, place, loop);
  }
  if (turn.failure) throw turn.failure;
  await composeLoopParts(it, place, loop, 'rest');
  delete loop.values;
  await composeOutput(it, place, { kind: 'parts', parts: loop.parts });
  return undefined;
}

function isLate({ run }: Interpreter, { attempt }: StepRecord): boolean {
  const deadlineMs = attempt?.deadlineMs;
  return deadlineMs !== undefined && run.ctx.now() >= deadlineMs;
}

function sleeperOf({ path }: LoopPlace): string {
  return `loop:${path}`;
}

/** Begins as many iterations as may be in progress; between two batches it pauses. */
async function startMore(it: Interpreter, place: LoopPlace, record: StepRecord, loop: LoopRecord, turn: Turn): Promise<void> {
  const { run } = it;
  const { step } = place;
  while (!turn.failure && loop.next < loop.total && turn.frames.size < (step.maxConcurrent ?? 1)) {
    run.drainIfDue();
    if (run.halted) {
      if (turn.frames.size > 0) return;
      await run.sleepUntilWoken(ADMISSION);
      continue;
    }
    if (step.pauseMs !== undefined && pauseIsDue(place, loop)) {
      if (turn.frames.size > 0) return;
      loop.resumeAtMs ??= run.ctx.now() + step.pauseMs;
      await run.until(Math.min(loop.resumeAtMs, record.attempt?.deadlineMs ?? loop.resumeAtMs), place.path);
      if (run.ctx.now() < loop.resumeAtMs) return;
      delete loop.resumeAtMs;
      loop.pausedBefore = loop.next;
    }
    await fetchItemValues(it, place, loop, loop.next);
    const index = loop.next;
    loop.next += 1;
    loop.live.push(index);
    startIteration(it, place, loop, index, turn);
  }
}

function pauseIsDue({ step }: LoopPlace, loop: LoopRecord): boolean {
  return loop.next > 0 && loop.next % (step.batchSize ?? 1) === 0 && loop.pausedBefore !== loop.next;
}

function startIteration(it: Interpreter, place: LoopPlace, loop: LoopRecord, index: number, turn: Turn): void {
  const frame = makeFrame({ block: place.step.block, kind: 'block', container: place, iteration: index });
  turn.frames.add(frame);
  it.run.spawn(async () => {
    try {
      await runBlock(it, frame, place);
      closeIteration(it, place, loop, index);
    } catch (error) {
      if (!(error instanceof ThermidorFailure)) throw error;
      turn.failure ??= error;
    } finally {
      turn.frames.delete(frame);
      turn.ended += 1;
      it.run.wake(sleeperOf(place));
    }
  });
}
