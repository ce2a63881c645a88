import { FAILURES, ThermidorFailure } from '../plan/run/failure';

/** So long an activity takes up another one of many things; the run asks again for the rest. */
const MOST_MS = 20_000;
/** The most JSON that one activity answers with, in addition to the last answer. */
const MOST_CHARACTERS = 200_000;

/**
 * Works on one thing after the other, and answers with the results of the first, of at least one. `problem` is the result of one that
 * failed for itself: the others have nothing to do with it.
 *
 * Fails with what Temporal retries, where that stops the very first.
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
