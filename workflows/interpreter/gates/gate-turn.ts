import { Cancelled } from '../../run-context';
import type { Question } from '../context/memory';
import type { Interpreter } from '../interpreter';
import type { Place } from '../place';
import { attemptOf } from '../state/record';

/**
 * Several agents may be running in one step, which has one gate at a time: an agent that needs a person waits until the one before has
 * its answer. So an answer is never taken for another's question, also in the next execution.
 */
export async function inTurn<T>(it: Interpreter, place: Place, question: Question, ask: () => Promise<T>): Promise<T> {
  // Looked at again after each wait: another may have been woken first.
  while (othersAskAt(it, place, question.key)) await untilOneIsAnswered(it, place);
  // One that is put already stays as it is.
  const attempt = attemptOf(it.run.record(place.path));
  attempt.question = { ...attempt.question, ...question };
  try {
    return await ask();
  } finally {
    putAway(it, place);
  }
}

/** The question is answered, or nobody needs the answer. */
export function putAway({ run }: Interpreter, { path }: Place): void {
  const { attempt } = run.record(path);
  if (attempt) delete attempt.question;
  run.wake(turnSleeper(path));
}

export function othersAskAt({ run }: Interpreter, { path }: Place, key: string): boolean {
  const asking = run.record(path).attempt?.question;
  return asking !== undefined && asking.key !== key;
}

/** Waits without a turn of its own: two that took one only to wait would pass it to each other forever. */
export async function untilOneIsAnswered({ run }: Interpreter, { path, child }: Place): Promise<void> {
  await run.sleepUntilWoken(turnSleeper(path), path);
  if (child?.over) throw new Cancelled();
}

export function turnSleeper(path: string): string {
  return `turn:${path}`;
}
