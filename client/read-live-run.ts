import type { RunView } from '../plan/run/status';
import { asClosed } from './closed-run';
import type { ThermidorClient } from './connect';
import { withLiveProgress } from './live-progress';
import { readPendingActivities } from './pending-activities';
import { readStatus } from './read-run';

/**
 * The run as it describes itself, with the progress of its running work, and with its end if only the server knows of that. The server is
 * asked before the run: the run's knowledge of a step is then never older than the heartbeat's, so that from one look to the next no step
 * goes backwards.
 */
export async function readLiveRun(client: ThermidorClient, run: string, limitMs?: number): Promise<RunView> {
  const { summary, underWay } = await readPendingActivities(client, run, limitMs);
  return asClosed(client, withLiveProgress(await readStatus(client, run, limitMs), underWay), summary);
}
