import { ThermidorFailure } from '../../plan/run/failure';

/**
 * Gives work for a merge queue that this host cannot do, because it does not see the repository or can have no worktree, to another:
 * Temporal offers it to the next worker that asks. It is nobody's fault, and does not count as an attempt of the candidate.
 */
export async function onAnotherHost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOfThisHost(error)) throw error;
    throw new ThermidorFailure('queue.wrong-host', error.message, error.details);
  }
}

export function isOfThisHost(error: unknown): error is ThermidorFailure {
  return error instanceof ThermidorFailure && error.code === 'worktree.unavailable';
}
