import { defined } from '../plan/defined';
import type { ThermidorClient } from './connect';

/** Values of the server's enum TaskQueueType. */
const QUEUE_TYPES = { workflow: 1, activity: 2 } as const;
type QueueType = keyof typeof QUEUE_TYPES;
/** A poll lasts a minute; a poller that was not seen for longer is gone. */
const SEEN_WITHIN_MS = 70_000;
/** The server's enum WorkerVersioningMode. */
const VERSIONED = 2;

export interface Poller {
  identity: string;
  lastSeen: string;
  /** Absent: it has told the server no version. */
  build?: string;
}

/** Who polls a task queue, and whose versions get its work. */
export interface QueueState {
  /** Those of the last minute, of any version. */
  pollers: Poller[];
  /** Absent: work goes to pollers without a version. */
  current?: string;
  /** The version that gets a share of the work. */
  ramping?: string;
}

export async function readQueue(client: ThermidorClient, kind: QueueType, taskQueue: string, now = Date.now()): Promise<QueueState> {
  const { pollers, versioningInfo } = await client.call(() =>
    client.temporal.workflowService.describeTaskQueue({
      namespace: client.namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: QUEUE_TYPES[kind],
    }),
  );
  const seen: Poller[] = [];
  for (const { identity, lastAccessTime, deploymentOptions } of pollers ?? []) {
    const seenMs = Number(lastAccessTime?.seconds ?? 0) * 1000;
    if (now - seenMs > SEEN_WITHIN_MS) continue;
    const build = deploymentOptions?.workerVersioningMode === VERSIONED ? deploymentOptions.buildId : undefined;
    seen.push({ identity: identity ?? '', lastSeen: new Date(seenMs).toISOString(), ...defined({ build: build ?? undefined }) });
  }
  const { currentDeploymentVersion, rampingDeploymentVersion } = versioningInfo ?? {};
  const [current, ramping] = [currentDeploymentVersion?.buildId || undefined, rampingDeploymentVersion?.buildId || undefined];
  return { pollers: seen, ...defined({ current, ramping }) };
}

/** The pollers that get a queue's work. @param pinnedTo the build that a run is pinned to, which alone gets its work */
export function takersIn({ pollers, current, ramping }: QueueState, pinnedTo?: string): Poller[] {
  if (pinnedTo !== undefined) return pollers.filter(({ build }) => build === pinnedTo);
  return pollers.filter(({ build }) => build === current || (build !== undefined && build === ramping));
}

/** A server lists a worker once it has had the first heartbeat of it. */
const FIRST_BEAT_MS = 15_000;

/**
 * Whether a poller still works: polls of the last minute are also those of workers that have ended since. @param listed workers by their
 * heartbeats; absent: the server lists none, and every poll counts
 */
export function isAlive({ identity, lastSeen }: Poller, listed: readonly { identity: string }[] | undefined, now = Date.now()): boolean {
  return listed === undefined || listed.some((one) => one.identity === identity) || now - Date.parse(lastSeen) < FIRST_BEAT_MS;
}

/**
 * The pollers of a task queue within the last minute that get its workflow tasks, or its activities: not those of a version that waits to
 * be promoted. Absent: the client's own queue.
 */
export async function pollersOf(
  client: ThermidorClient,
  kind: QueueType,
  now = Date.now(),
  taskQueue = client.taskQueue,
): Promise<Poller[]> {
  return takersIn(await readQueue(client, kind, taskQueue, now));
}

/** What waits in a task queue, as the server estimates it, and how long the oldest of it has waited. A server that does not know says 0. */
export async function backlogOf(
  client: ThermidorClient,
  kind: keyof typeof QUEUE_TYPES,
  taskQueue: string,
): Promise<{ backlog: number; ageSeconds: number }> {
  const { stats } = await client.call(() =>
    client.temporal.workflowService.describeTaskQueue({
      namespace: client.namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: QUEUE_TYPES[kind],
      reportStats: true,
    }),
  );
  const { approximateBacklogCount, approximateBacklogAge: age } = stats ?? {};
  return { backlog: Number(approximateBacklogCount ?? 0), ageSeconds: Number(age?.seconds ?? 0) + (age?.nanos ?? 0) / 1e9 };
}
