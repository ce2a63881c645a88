import { Cancelled } from '../../run-context';
import type { Interpreter } from '../interpreter';
import type { Place } from '../place';

/**
 * Several agents may be at work in one step, which has one gate at a time: whoever wants to ask a person waits until the one before has
 * its answer. So an answer is never taken for another's question, also in the next execution.
 */
export async function inTurn<T>({ run }: Interpreter, place: Place, key: string, ask: () => Promise<T>): Promise<T> {
  const { path } = place;
  const record = run.record(path);
  const next = turnSleeper(path);
  while (record.turn !== undefined && record.turn !== key) {
    await run.sleepUntilWoken(next, path);
    if (place.child?.over) throw new Cancelled();
  }
  record.turn = key;
  try {
    return await ask();
  } finally {
    delete record.turn;
    run.wake(next);
  }
}

export function turnSleeper(path: string): string {
  return `turn:${path}`;
}
