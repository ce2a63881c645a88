import { ThermidorFailure } from '../../plan/run/failure';
import { closeIteration } from '../../workflows/interpreter/containers/loop';
import { runBlock } from '../../workflows/interpreter/containers/run-block';
import { failureRecord } from '../../workflows/interpreter/context/scope-log';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import { isPast } from '../../workflows/interpreter/scheduling/deadline';
import { type Frame, isSuperseded, makeFrame } from '../../workflows/interpreter/scheduling/place';
import { beginNextRound } from '../../workflows/interpreter/steps/revisions';
import { streamSleeper } from '../../workflows/interpreter/streams/stream-room';
import { Cancelled } from '../../workflows/run-context';
import { type LoopPlace, noteDone, type StreamTurn } from './stream-turn';

/**
 * Runs the steps of one item of a stream. After a failure they run again from the first, with the failure as a finding, at most `fixes`
 * times and within the item's time. The outcome enters the loop's record as soon as it is known.
 */
export function startItem(it: Interpreter, place: LoopPlace, index: number, turn: StreamTurn): void {
  const { run } = it;
  const { stream } = turn.loop;
  stream.dueMs = { ...stream.dueMs, [index]: stream.dueMs?.[index] ?? run.ctx.now() + turn.policy.timeoutMs };
  run.spawn(async () => {
    try {
      await untilDone(it, place, index, turn);
    } finally {
      turn.ended += 1;
      run.wake(streamSleeper(turn.producer.path));
    }
  });
}

async function untilDone(it: Interpreter, place: LoopPlace, index: number, turn: StreamTurn): Promise<void> {
  for (;;) {
    const frame = makeFrame({ block: place.step.block, kind: 'block', container: place, iteration: index });
    turn.frames.add(frame);
    try {
      await runBlock(it, frame, place, turn.loop.stream.dueMs?.[index], 'many');
      noteDone(turn, index);
      close(it, place, index, turn);
      return;
    } catch (error) {
      if (!(error instanceof ThermidorFailure) || isSuperseded(place)) throw error instanceof ThermidorFailure ? new Cancelled() : error;
      if (!beginsAgain(it, place, index, turn, error)) return failed(it, place, index, turn, error);
    } finally {
      turn.frames.delete(frame);
    }
  }
}

/** Sends an item back to its first step. False: its fixes or its time are used up. */
function beginsAgain(it: Interpreter, place: LoopPlace, index: number, turn: StreamTurn, { code, message }: ThermidorFailure): boolean {
  const { run } = it;
  const { policy, loop } = turn;
  const { stream } = loop;
  const fix = (stream.fixes?.[index] ?? 0) + 1;
  if (fix > policy.fixes || isPast(run, stream.dueMs?.[index])) return false;
  stream.fixes = { ...stream.fixes, [index]: fix };
  journalFeedback(it, place, { type: 'item', data: { key: stream.items[index]?.key ?? null, fix, failed: { code, message } } });
  const again: Frame = makeFrame({ block: place.step.block, kind: 'block', container: place, iteration: index });
  const findings = { review: `${run.name(place.path)}[${index}]`, instructions: `It failed: ${code}: ${message}` };
  for (const one of again.places) if (run.state.records[one.path]) beginNextRound(it, one, findings);
  return true;
}

function failed(it: Interpreter, place: LoopPlace, index: number, turn: StreamTurn, error: ThermidorFailure): void {
  const { code, message } = error;
  journalFeedback(it, place, { type: 'item', data: { key: turn.loop.stream.items[index]?.key ?? null, failed: { code, message } } });
  if (turn.policy.onFailed === 'stop') {
    turn.failed.items.push(index);
    turn.failed.failure ??= failureRecord(error);
    forgetTimes(turn, index);
    return;
  }
  const { stream } = turn.loop;
  stream.errors = { ...stream.errors, [index]: { code, message } };
  close(it, place, index, turn);
}

function close(it: Interpreter, place: LoopPlace, index: number, turn: StreamTurn): void {
  closeIteration(it, place, turn.loop, index);
  forgetTimes(turn, index);
}

function forgetTimes({ loop: { stream } }: StreamTurn, index: number): void {
  for (const kept of [stream.dueMs, stream.fixes]) if (kept) delete kept[index];
}

/** Leaves out all waiting items: none of their steps runs. */
export function leaveOut({ loop, queue }: StreamTurn, code: string, message: string): void {
  const { stream } = loop;
  stream.errors = { ...stream.errors, ...Object.fromEntries(stream.waiting.map((index) => [index, { code, message }])) };
  for (const index of stream.waiting) {
    loop.done[index] = {};
    loop.next += 1;
    queue.take(index);
  }
  stream.waiting = [];
}
