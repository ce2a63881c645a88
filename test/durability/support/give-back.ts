import type { WorkflowHandle } from '@temporalio/client';
import { failLostActivities } from '../../../cli/embedded/fail-lost-activities';
import type { ThermidorClient } from '../../../client/connect';
import { until } from './until';

const STARTED = 2;

/** Gives back as `thermidor` does when it takes over: work that a dead worker had in progress is handed out again at once. */
export async function giveBack(server: ThermidorClient, runs: readonly WorkflowHandle[], taskQueue: string, lost: string): Promise<void> {
  const { connection, namespace } = server;
  const options = { connection, namespace, lostWorkers: [lost], identity: 'supervisor', taskQueue };
  await until(`what ${lost} had is given back`, async () => {
    await failLostActivities(options);
    const described = await Promise.all(runs.map((run) => run.describe()));
    const pending = described.flatMap(({ raw }) => raw.pendingActivities ?? []);
    return !pending.some(({ lastWorkerIdentity, state }) => lastWorkerIdentity === lost && state === STARTED);
  });
}
