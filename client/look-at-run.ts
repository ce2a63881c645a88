import type { RunView } from '../plan/status';
import type { ThermidorClient } from './connect';
import { readStatus } from './read-run';
import { readUnderWay } from './under-way';
import { withUnderWay } from './with-under-way';

/**
 * The run as it says itself, with what its work under way tells of how far it is. The server is asked before the run: what the run
 * knows of a step then is never older than what a heartbeat said of it, so that from one look to the next no step goes back.
 */
export async function lookAtRun(client: ThermidorClient, run: string, limitMs?: number): Promise<RunView> {
  const works = await readUnderWay(client, run, limitMs);
  return withUnderWay(await readStatus(client, run, limitMs), works);
}
