import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import { readStatus } from '../../client/read-run';
import type { RunView } from '../../plan/run/status';

/** A child's run; undefined if it does not answer, which only makes the result less exact. */
export async function readViewIfAny(client: ThermidorClient, run: string): Promise<RunView | undefined> {
  try {
    return await readStatus(client, run);
  } catch (error) {
    if (error instanceof ClientProblem) return undefined;
    throw error;
  }
}
