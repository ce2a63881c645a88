import { problemOf } from '../../activities/adapters/git/failures';
import type { RepositoryProblem } from '../../plan/run/repository-problem';

/** Undefined if a call fails with just that problem. */
export async function orUndefined<T>(problem: RepositoryProblem, call: Promise<T>): Promise<T | undefined> {
  return await call.catch((error: unknown) => {
    if (problemOf(error) === problem) return undefined;
    throw error;
  });
}
