import type { ThermidorClient } from './connect';

/** Values of the server's enum TaskQueueType. */
const QUEUE_TYPES = { workflow: 1, activity: 2 } as const;
/** A poll lasts a minute; a poller that was not seen for longer is gone. */
const SEEN_WITHIN_MS = 70_000;

export interface Poller {
  identity: string;
  lastSeen: string;
}

/** The pollers of a task queue within the last minute, for workflow tasks or for activities. Absent: the client's own queue. */
export async function pollersOf(
  client: ThermidorClient,
  kind: keyof typeof QUEUE_TYPES,
  now = Date.now(),
  taskQueue = client.taskQueue,
): Promise<Poller[]> {
  const answer = await client.call(() =>
    client.temporal.workflowService.describeTaskQueue({
      namespace: client.namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: QUEUE_TYPES[kind],
    }),
  );
  const pollers: Poller[] = [];
  for (const { identity, lastAccessTime } of answer.pollers ?? []) {
    const seenMs = Number(lastAccessTime?.seconds ?? 0) * 1000;
    if (now - seenMs <= SEEN_WITHIN_MS) pollers.push({ identity: identity ?? '', lastSeen: new Date(seenMs).toISOString() });
  }
  return pollers;
}
