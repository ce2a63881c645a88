import { Cancelled } from '../../run-context';
import type { Interpreter } from '../interpreter';
import type { Place } from '../place';

/**
 * Several agents may be at work in one step, which has one gate at a time: whoever wants to ask a person waits until the one before has
 * its answer. So an answer is never taken for another's question, also in the next execution.
 */
export async function inTurn<T>(it: Interpreter, place: Place, key: string, ask: () => Promise<T>): Promise<T> {
  const { run } = it;
  const record = run.record(place.path);
  // Looked at again after each wait: another may have been woken first.
  while (record.turn !== undefined && record.turn !== key) await untilOneIsAnswered(it, place);
  record.turn = key;
  try {
    return await ask();
  } finally {
    delete record.turn;
    run.wake(turnSleeper(place.path));
  }
}

/** Waits without a turn of its own: two that took one only to wait would pass it to each other for ever. */
export async function untilOneIsAnswered({ run }: Interpreter, { path, child }: Place): Promise<void> {
  await run.sleepUntilWoken(turnSleeper(path), path);
  if (child?.over) throw new Cancelled();
}

export function turnSleeper(path: string): string {
  return `turn:${path}`;
}
