import { isSettled } from '../../plan/run/step-state';
import { type EmittedInput, hasRoomAgain } from '../../plan/steps/stream';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { Place } from '../../workflows/interpreter/scheduling/place';
import { outsideEmits } from '../../workflows/interpreter/streams/stream-room';
import { countInTurn, type StreamTurn } from './stream-turn';

/** When the producer of a stream is held back, as its loop knows it. */

export function hasEnded({ run }: Interpreter, { producer: { path } }: StreamTurn): boolean {
  return isSettled(run.record(path).state) && !outsideEmits(run).get(path);
}

/** From the producer's view, in which begun items wait until it reads that they have been taken. */
export function isFull({ producer: { step }, loop, letGo }: StreamTurn): boolean {
  return step.emits !== undefined && !letGo && loop.total - (loop.stream.taken ?? 0) >= step.emits.maxWaiting;
}

/** Whether a producer that is held back may continue. */
export function hasRoom(turn: StreamTurn): boolean {
  const { emits } = turn.producer.step;
  return emits !== undefined && turn.loop.stream.full === true && hasRoomAgain(emits, countInTurn(turn));
}

export function boundOf({ producer: { step }, loop }: StreamTurn): EmittedInput['bound'] {
  if (!step.emits) return undefined;
  return { maxWaiting: step.emits.maxWaiting, noted: loop.stream.taken ?? 0 };
}

/**
 * An execution closes only after all work in it has ended, which a command that is held back never does: release it until it ends. An agent
 * pauses instead.
 */
export function holdsUpDrain({ run }: Interpreter, { producer, letGo }: StreamTurn): boolean {
  return run.draining && !letGo && !('agent' in producer.step) && !isSettled(run.record(producer.path).state);
}

/** A command that is held back gives up its slot. An agent releases its own when it pauses. */
export function rest(it: Interpreter, producer: Place): void {
  if (!('agent' in producer.step)) it.rest(producer);
}
