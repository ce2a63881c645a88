import { defined } from '../plan/defined';
import { type BuildReads, deploymentOf, READS_ENTRY, shortBuild } from '../plan/run/deployment';
import { readJsonPayload } from '../plan/run/json-payload';
import { isJsonObject } from '../plan/text/json';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { grpcCause } from './error-cause';
import { quoted } from './list-runs';
import { readQueue } from './task-queue';
import { type FleetWorker, listWorkers } from './workers';

/** What the server does with a version. `waiting`: its workers get no work until it is promoted. `drained`: no open run is left on it. */
export type VersionState = 'current' | 'ramping' | 'waiting' | 'draining' | 'drained';

export interface FleetVersion {
  build: string;
  state: VersionState;
  /** When its first worker came, ISO 8601. */
  since: string;
  /** Identities of the workers that take, or would take, runs and steps for it. */
  workers: string[];
  /** Whole names of the task queues that these workers serve. */
  queues: string[];
  /** Open runs and merge queues whose last task it completed, or that are pinned to it. The server's count is some seconds old. */
  openRuns: number;
  /** Absent: its workers have not said what they can read. */
  reads?: BuildReads;
}

export interface FleetVersions {
  deployment: string;
  /** Absent: none is, and workers with `versions: off` take the work. */
  current?: string;
  ramping?: { build: string; percent: number };
  /** The newest first. */
  versions: FleetVersion[];
  /** Changes with each change of what is current. */
  conflictToken: Uint8Array;
}

/** The server's enum WorkerDeploymentVersionStatus. */
const STATES: Readonly<Record<number, VersionState>> = {
  1: 'waiting',
  2: 'current',
  3: 'ramping',
  4: 'draining',
  5: 'drained',
  6: 'waiting',
};
const [NOT_FOUND, PERMISSION_DENIED, UNIMPLEMENTED] = [5, 7, 12];

/** What the server says of the client's deployment; undefined if it knows none, has no deployments, or refuses to tell of them. */
export async function describeDeployment(client: ThermidorClient) {
  const { namespace, taskQueue } = client;
  const deployment = deploymentOf(taskQueue);
  try {
    const { workerDeploymentInfo, conflictToken } = await client.call(() =>
      client.temporal.workflowService.describeWorkerDeployment({ namespace, deploymentName: deployment }),
    );
    const { versionSummaries, routingConfig } = workerDeploymentInfo ?? {};
    const { currentDeploymentVersion, rampingDeploymentVersion, rampingVersionPercentage } = routingConfig ?? {};
    const ramping = rampingDeploymentVersion?.buildId;
    const percent = rampingVersionPercentage ?? 0;
    return {
      deployment,
      ...defined({
        current: currentDeploymentVersion?.buildId || undefined,
        ramping: ramping && percent > 0 ? { build: ramping, percent } : undefined,
      }),
      summaries: (versionSummaries ?? []).map(({ deploymentVersion, status, createTime }) => ({
        build: deploymentVersion?.buildId ?? '',
        state: STATES[status ?? 0] ?? ('waiting' as const),
        since: new Date(Number(createTime?.seconds ?? 0) * 1000).toISOString(),
      })),
      conflictToken: conflictToken ?? new Uint8Array(),
    };
  } catch (error) {
    const code = grpcCause(error)?.code;
    if (code === NOT_FOUND || code === PERMISSION_DENIED || code === UNIMPLEMENTED) return undefined;
    throw error;
  }
}

/** The versions of the client's workers. Fails with `fleet.unversioned` if the server knows none. */
export async function readVersions(client: ThermidorClient): Promise<FleetVersions> {
  const described = await describeDeployment(client);
  if (described === undefined) throw unversioned(client);
  const { summaries, ...fleet } = described;
  const live = await liveWorkers(client);
  const versions = await Promise.all(
    summaries.map(async (one): Promise<FleetVersion> => {
      const [openRuns, known] = await Promise.all([countHeldBy(client, one.build), readKnown(client, fleet.deployment, one.build)]);
      return { ...one, ...(await servedBy(client, known.queues, one.build, live)), openRuns, ...defined({ reads: known.reads }) };
    }),
  );
  return { ...fleet, versions: versions.sort((a, b) => b.since.localeCompare(a.since)) };
}

/** Heartbeats tell within seconds that a worker has ended; polls last a minute. Undefined: this server does not list workers. */
export async function liveWorkers(client: ThermidorClient): Promise<FleetWorker[] | undefined> {
  try {
    return (await listWorkers(client)).filter(({ silent, stopping }) => !silent && !stopping);
  } catch (error) {
    if (error instanceof ClientProblem && error.code === 'server.refused') return undefined;
    throw error;
  }
}

/** Which workers of a build serve which of some queues, by heartbeats, or where there are none by polls. */
async function servedBy(
  client: ThermidorClient,
  queues: readonly { name: string; kind: 'workflow' | 'activity' }[],
  build: string,
  live: readonly FleetWorker[] | undefined,
): Promise<Pick<FleetVersion, 'workers' | 'queues'>> {
  if (live !== undefined) {
    const own = live.filter((worker) => worker.build === build);
    return { workers: own.map(({ identity }) => identity).sort(), queues: [...new Set(own.flatMap((worker) => worker.queues))].sort() };
  }
  const [workers, served] = [new Set<string>(), new Set<string>()];
  for (const { name, kind } of queues)
    for (const poller of (await readQueue(client, kind, name)).pollers) {
      if (poller.build !== build) continue;
      workers.add(poller.identity);
      served.add(name);
    }
  return { workers: [...workers].sort(), queues: [...served].sort() };
}

/** The server's enum TaskQueueType. */
const WORKFLOW = 1;

async function readKnown(client: ThermidorClient, deploymentName: string, buildId: string) {
  const { namespace } = client;
  const request = { namespace, deploymentVersion: { deploymentName, buildId } };
  const { workerDeploymentVersionInfo } = await client.call(() => client.temporal.workflowService.describeWorkerDeploymentVersion(request));
  const { taskQueueInfos, metadata } = workerDeploymentVersionInfo ?? {};
  const queues = (taskQueueInfos ?? []).map(({ name, type }) => ({
    name: name ?? '',
    kind: type === WORKFLOW ? ('workflow' as const) : ('activity' as const),
  }));
  return { queues, reads: readsIn(metadata?.entries?.[READS_ENTRY]) };
}

async function countHeldBy(client: ThermidorClient, build: string): Promise<number> {
  const request = { namespace: client.namespace, query: heldBy(client, build) };
  return Number((await client.call(() => client.temporal.workflowService.countWorkflowExecutions(request))).count ?? 0);
}

/** A visibility query for the open runs and merge queues of a build: it completed their last task, or they are pinned to it. */
export function heldBy({ taskQueue }: ThermidorClient, build: string): string {
  const version = quoted(`${deploymentOf(taskQueue)}:${build}`);
  return `TaskQueue = ${quoted(taskQueue)} AND ExecutionStatus = 'Running' AND TemporalWorkerDeploymentVersion = ${version}`;
}

/** @param named a build's name, its digest, or how that begins. Fails with `fleet.no-version` */
export function versionNamed({ versions, deployment }: Pick<FleetVersions, 'versions' | 'deployment'>, named: string): FleetVersion {
  const exact = versions.find(({ build }) => build === named);
  const fits = exact ? [exact] : versions.filter(({ build }) => named !== '' && shortBuild(build).startsWith(named));
  const [found, another] = fits;
  if (found && !another) return found;
  const known = versions.map(({ build }) => shortBuild(build)).join(', ') || 'none';
  const problem = found ? 'several versions begin with' : 'no worker has had version';
  throw new ClientProblem('fleet.no-version', `${problem} "${named.slice(0, 80)}"`, { hint: `versions of ${deployment}: ${known}` });
}

function unversioned({ taskQueue, address }: ThermidorClient): ClientProblem {
  return new ClientProblem('fleet.unversioned', `the server at ${address} knows no versions of the workers of ${taskQueue}`, {
    hint: 'start a worker with `versions: auto` in thermidor.yaml, which is the default on a server of your own; its log says if the server refuses versions',
  });
}

/** Leniently: anybody who reaches the server can write it. */
function readsIn(payload: Parameters<typeof readJsonPayload>[0] | undefined): BuildReads | undefined {
  const read = payload && parsed(payload);
  if (!isJsonObject(read)) return undefined;
  const { run, language, queue } = read;
  return typeof run === 'number' && typeof language === 'number' && typeof queue === 'number' ? { run, language, queue } : undefined;
}

function parsed(payload: Parameters<typeof readJsonPayload>[0]): ReturnType<typeof readJsonPayload> | undefined {
  try {
    return readJsonPayload(payload);
  } catch {
    return undefined;
  }
}
