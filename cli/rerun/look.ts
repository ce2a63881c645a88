import type { ThermidorClient } from '../../client/connect';
import { ClientProblem } from '../../client/problem';
import type { RunView } from '../../plan/status';

/** A child's run; undefined where it does not answer: what is asked for is then only less exact. */
export async function lookOrNothing(client: ThermidorClient, run: string): Promise<RunView | undefined> {
  const { readStatus } = require('../../client/read-run') as typeof import('../../client/read-run');
  try {
    return await readStatus(client, run);
  } catch (error) {
    if (error instanceof ClientProblem) return undefined;
    throw error;
  }
}
