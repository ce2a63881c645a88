import { FAILURES, ThermidorFailure } from '../plan/run/failure';

/** How long an activity takes up further items; the run asks again for the rest. */
const MOST_MS = 20_000;
/** The most JSON that one activity returns, in addition to the last result. */
const MOST_CHARACTERS = 200_000;

/**
 * Works on one item after the other, and returns the results of the first ones, at least one. `problem` is the result of an item that
 * failed by itself, which does not affect the others.
 *
 * Fails with what Temporal retries, if that stops the very first.
 */
export async function asManyAsFit<T, R>(
  all: readonly T[],
  work: (one: T) => Promise<R>,
  problem: (message: string) => R,
  now: () => number = () => performance.now(),
): Promise<R[]> {
  const done: R[] = [];
  const until = now() + MOST_MS;
  let characters = 0;
  for (const one of all) {
    if (done.length > 0 && (now() > until || characters > MOST_CHARACTERS)) break;
    let result: R;
    try {
      result = await work(one);
    } catch (error) {
      if (!(error instanceof ThermidorFailure)) throw error;
      if (FAILURES[error.code].retried !== 'temporal') result = problem(error.message);
      else if (done.length > 0) break;
      else throw error;
    }
    characters += JSON.stringify(result).length;
    done.push(result);
  }
  return done;
}
