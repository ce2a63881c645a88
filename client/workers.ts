import { defined } from '../plan/defined';
import type { HeardWorker, WorkerSlots } from '../records/worker-sign';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { grpcCause } from './error-cause';

/** A process that works, by the heartbeats of its workers: it has one for each queue. Times are ISO 8601. */
export interface FleetWorker {
  identity: string;
  host: string;
  /** The newest of its heartbeats: by the clock of who asks if the store has heard the worker, too, else by its host's. */
  heartbeatAt: string;
  /** It has given no sign for a while: it may be dead, frozen, or cut off. */
  silent: boolean;
  /** By its last heartbeat. */
  stopping: boolean;
  startedAt?: string;
  /** Whole names of task queues. */
  queues: string[];
  /** Activities at once, over all its queues. Absent: neither the server nor the store knows. */
  slots?: WorkerSlots;
  /** The load of its host, from 0 to 1. */
  cpu?: number;
  memory?: number;
  /** The build’s id, and the SDK’s name and version. */
  build?: string;
  sdk?: string;
}

/** Six heartbeats: hosts whose clocks differ by some seconds do not seem silent. */
export const SILENT_AFTER_MS = 30_000;

/** After this time a worker that said goodbye is not shown. */
const GONE_AFTER_MS = 10_000;
const PAGE = 200;
const MOST_PAGES = 50;

type Beat = NonNullable<
  NonNullable<Awaited<ReturnType<ThermidorClient['temporal']['workflowService']['listWorkers']>>['workersInfo']>[number]['workerHeartbeat']
>;

/**
 * The workers of the client's task queue and of the queues below it, by host. Fails with `server.refused` if the server lists none.
 *
 * @param heard what the store has of them: so no clock of a host counts for ages, and slots that the server does not learn are known
 */
export async function listWorkers(client: ThermidorClient, heard: readonly HeardWorker[] = [], now = Date.now()): Promise<FleetWorker[]> {
  const beats: Beat[] = [];
  let nextPageToken: Uint8Array | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await asked(client, nextPageToken);
    for (const { workerHeartbeat } of answer.workersInfo ?? [])
      if (workerHeartbeat && isOurs(client, workerHeartbeat)) beats.push(workerHeartbeat);
    nextPageToken = answer.nextPageToken ?? undefined;
    if (!nextPageToken?.length) break;
  }
  const last = lastHeard(heard);
  return [...byProcess(beats)]
    .map(([identity, own]) => workerOf(identity, own, last.get(identity), now))
    .filter(({ heartbeatAt, isGone }) => !isGone || now - Date.parse(heartbeatAt) < GONE_AFTER_MS)
    .map(({ isGone: _, ...worker }) => worker)
    .sort((a, b) => a.host.localeCompare(b.host) || a.identity.localeCompare(b.identity));
}

async function asked(client: ThermidorClient, nextPageToken: Uint8Array | undefined) {
  try {
    return await client.call(() =>
      client.temporal.workflowService.listWorkers({ namespace: client.namespace, pageSize: PAGE, ...defined({ nextPageToken }) }),
    );
  } catch (error) {
    if (grpcCause(error)?.code !== UNIMPLEMENTED) throw error;
    throw new ClientProblem('server.refused', 'this server does not list workers: it is too old, or has their heartbeats turned off', {
      cause: error,
    });
  }
}

const UNIMPLEMENTED = 12;

function isOurs({ taskQueue }: ThermidorClient, beat: Beat): boolean {
  return beat.taskQueue === taskQueue || beat.taskQueue?.startsWith(`${taskQueue}:`) === true;
}

/** The server's enum WorkerStatus. */
const [STOPPING, STOPPED] = [2, 3];

function byProcess(beats: readonly Beat[]): Map<string, Beat[]> {
  const found = new Map<string, Beat[]>();
  for (const beat of beats) found.set(beat.workerIdentity ?? '', [...(found.get(beat.workerIdentity ?? '') ?? []), beat]);
  return new Map([...found].map(([identity, own]) => [identity, ofOneProcess(own)]));
}

/** The next process of a host goes by the name of one that was killed there, which the server remembers. */
function ofOneProcess(beats: readonly Beat[]): Beat[] {
  const newestMs = Math.max(...beats.map(({ heartbeatTime }) => msOf(heartbeatTime)));
  return beats.filter(({ heartbeatTime }) => newestMs - msOf(heartbeatTime) < SILENT_AFTER_MS);
}

function lastHeard(heard: readonly HeardWorker[]): Map<string, HeardWorker> {
  return new Map([...heard].sort((a, b) => b.ageMs - a.ageMs).map((one) => [one.identity, one]));
}

function workerOf(
  identity: string,
  beats: readonly Beat[],
  heard: HeardWorker | undefined,
  now: number,
): FleetWorker & { isGone: boolean } {
  const heartbeatMs = Math.max(...beats.map(({ heartbeatTime }) => msOf(heartbeatTime)));
  // Both of its times are by one clock, its host's.
  const ageMs = heard === undefined ? now - heartbeatMs : Math.max(0, heard.ageMs + heard.saidAtMs - heartbeatMs);
  const newest = beats.find(({ heartbeatTime }) => msOf(heartbeatTime) === heartbeatMs);
  const startedMs = Math.min(...beats.map(({ startTime }) => msOf(startTime)));
  const total = (count: 'currentUsedSlots' | 'currentAvailableSlots'): number =>
    beats.reduce((sum, { activityTaskSlotsInfo }) => sum + (activityTaskSlotsInfo?.[count] ?? 0), 0);
  const { hostInfo, deploymentVersion, sdkName, sdkVersion } = newest ?? {};
  const silent = ageMs >= SILENT_AFTER_MS;
  const stopping = beats.some(({ status }) => status === STOPPING);
  const slots = saysSlots(beats) ? { used: total('currentUsedSlots'), free: total('currentAvailableSlots') } : heard?.slots;
  return {
    identity,
    // The process says where it is: a container's hostname changes.
    host: hostOf(identity) ?? hostInfo?.hostName ?? '',
    heartbeatAt: new Date(now - ageMs).toISOString(),
    silent,
    stopping,
    // The server often misses the last word of a worker that ends in order; one that still stops gives heartbeats.
    isGone: beats.every(({ status }) => status === STOPPED) || (stopping && silent),
    queues: [...new Set(beats.map(({ taskQueue }) => taskQueue ?? ''))].sort(),
    ...defined({
      slots,
      startedAt: startedMs > 0 ? new Date(startedMs).toISOString() : undefined,
      cpu: hostInfo?.currentHostCpuUsage ?? undefined,
      memory: hostInfo?.currentHostMemUsage ?? undefined,
      build: deploymentVersion?.buildId || undefined,
      sdk: sdkVersion ? `${sdkName ?? ''} ${sdkVersion}`.trim() : undefined,
    }),
  };
}

/**
 * The SDK reads slots and pollers from its own metrics, and finds none if these go into a buffer (`worker/sdk-metrics.ts`). A worker that
 * works always has pollers.
 */
function saysSlots(beats: readonly Beat[]): boolean {
  return beats.some(
    ({ activityTaskSlotsInfo: slots, activityPollerInfo, workflowPollerInfo }) =>
      (slots?.currentUsedSlots ?? 0) + (slots?.currentAvailableSlots ?? 0) > 0 ||
      (activityPollerInfo?.currentPollers ?? 0) + (workflowPollerInfo?.currentPollers ?? 0) > 0,
  );
}

/** An identity ends with the name of its host. */
function hostOf(identity: string): string | undefined {
  return /@([^@]+)$/.exec(identity)?.[1];
}

function msOf(stamp: Beat['heartbeatTime']): number {
  return Number(stamp?.seconds ?? 0) * 1000 + Math.floor((stamp?.nanos ?? 0) / 1_000_000);
}
