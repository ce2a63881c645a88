import { randomUUID } from 'node:crypto';
import { shortBuild } from '../plan/run/deployment';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { grpcCause } from './error-cause';
import { type FleetVersion, type FleetVersions, versionNamed } from './fleet-versions';

const FAILED_PRECONDITION = 9;

/** A version that a living worker has, which takes runs. Fails with `fleet.no-version` and `fleet.no-worker` */
export function servedVersion({ taskQueue }: ThermidorClient, fleet: FleetVersions, named: string): FleetVersion {
  const found = versionNamed(fleet, named);
  if (found.queues.includes(taskQueue)) return found;
  const others = fleet.versions.filter(({ queues }) => queues.includes(taskQueue)).map(({ build }) => shortBuild(build));
  throw new ClientProblem('fleet.no-worker', `no worker of version ${shortBuild(found.build)} takes runs now: they would wait`, {
    hint: `start one, then try again; versions with workers: ${others.join(', ') || 'none'}`,
  });
}

/**
 * Makes a version current, or has it take a share of the runs. Once: if the fleet has changed since it was read, fails with
 * `fleet.changed`.
 */
export async function routeTo(client: ThermidorClient, fleet: FleetVersions, buildId: string, percentage?: number): Promise<void> {
  const { namespace } = client;
  const { deployment: deploymentName, conflictToken } = fleet;
  const identity = `thermidor fleet ${randomUUID().slice(0, 8)}`;
  const shared = { namespace, deploymentName, conflictToken, identity, ignoreMissingTaskQueues: true };
  try {
    if (percentage !== undefined)
      await client.call(() => client.temporal.workflowService.setWorkerDeploymentRampingVersion({ ...shared, buildId, percentage }));
    else if (buildId !== fleet.current)
      await client.call(() => client.temporal.workflowService.setWorkerDeploymentCurrentVersion({ ...shared, buildId }));
    else if (fleet.ramping)
      await client.call(() => client.temporal.workflowService.setWorkerDeploymentRampingVersion({ ...shared, buildId: '', percentage: 0 }));
  } catch (error) {
    const cause = grpcCause(error);
    if (cause?.code !== FAILED_PRECONDITION) throw error;
    throw new ClientProblem('fleet.changed', `the server did not change the current version: ${cause.text}`, {
      hint: 'look at `thermidor fleet versions`, then try again',
      cause: error,
    });
  }
}

/** Queues that workers of other versions serve, and none of this one: steps there wait once it is current. */
export function unservedBy({ versions }: FleetVersions, { queues }: FleetVersion): string[] {
  return [...new Set(versions.flatMap((version) => version.queues))].filter((queue) => !queues.includes(queue)).sort();
}
