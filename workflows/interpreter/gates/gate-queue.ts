import { Cancelled } from '../../run-context';
import type { AgentQuestion } from '../context/attempt-log';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { attemptOf } from '../state/step-record';

/**
 * Several agents may be running in one step, which has one gate at a time: an agent that needs a person waits until the one before has
 * its answer. So an answer is never taken for another's question, also in the next execution.
 */
export async function inGateQueue<T>(it: Interpreter, place: Place, question: AgentQuestion, ask: () => Promise<T>): Promise<T> {
  // Looked at again after each wait: another may have been woken first.
  while (hasOtherGates(it, place, question.key)) await untilGateAnswered(it, place);
  // One that is put already stays as it is.
  const attempt = attemptOf(it.run.record(place.path));
  attempt.question = { ...attempt.question, ...question };
  try {
    return await ask();
  } finally {
    withdrawGate(it, place);
  }
}

/** The question is answered, or nobody needs the answer. */
export function withdrawGate({ run }: Interpreter, { path }: Place): void {
  const { attempt } = run.record(path);
  if (attempt) delete attempt.question;
  run.wake(gateQueueWakeKey(path));
}

export function hasOtherGates({ run }: Interpreter, { path }: Place, key: string): boolean {
  const asking = run.record(path).attempt?.question;
  return asking !== undefined && asking.key !== key;
}

/** Waits without a turn of its own: two that took one only to wait would pass it to each other forever. */
export async function untilGateAnswered({ run }: Interpreter, { path, child }: Place): Promise<void> {
  await run.sleepUntilWoken(gateQueueWakeKey(path), path);
  if (child?.over) throw new Cancelled();
}

export function gateQueueWakeKey(path: string): string {
  return `turn:${path}`;
}
