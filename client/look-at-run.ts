import type { RunView } from '../plan/status';
import { asClosed } from './closed-run';
import type { ThermidorClient } from './connect';
import { readStatus } from './read-run';
import { readKnown } from './under-way';
import { withUnderWay } from './with-under-way';

/**
 * The run as it describes itself, with the progress of its running work, and with its end if only the server knows of that.
 * The server is asked before the run: what the run knows of a step then is never older than what a heartbeat said of it, so that from
 * one look to the next no step goes back.
 */
export async function lookAtRun(client: ThermidorClient, run: string, limitMs?: number): Promise<RunView> {
  const { summary, underWay } = await readKnown(client, run, limitMs);
  return asClosed(client, withUnderWay(await readStatus(client, run, limitMs), underWay), summary);
}
