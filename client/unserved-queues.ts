import type { ThermidorClient } from './connect';
import { listRuns } from './list-runs';
import { type PendingActivity, readPendingActivities } from './pending-activities';
import { pollersOf } from './task-queue';

/** A queue that nobody polls, and the runs that have work on it. */
export interface UnservedQueue {
  /** The whole name of the task queue. */
  queue: string;
  /** Open runs, newest first, as far as they were looked at. */
  runs: string[];
}

/** Each run is described. */
const RUNS_ASKED = 100;
const AT_ONCE = 8;

/** Queues that nobody serves: those that open runs wait on, those that are named, and the client's own. */
export async function unservedQueues(client: ThermidorClient, named: Iterable<string>): Promise<UnservedQueue[]> {
  const needed = await queuesOfOpenRuns(client, ({ untaken }) => untaken === true);
  for (const queue of [client.taskQueue, ...named]) if (!needed.has(queue)) needed.set(queue, []);
  const idle = await idleAmong(client, needed.keys());
  return [...needed].filter(([queue]) => idle.has(queue)).map(([queue, runs]) => ({ queue, runs }));
}

/** Those of the task queues that no worker has polled for activities within the last minute. */
export async function idleAmong(client: ThermidorClient, queues: Iterable<string>): Promise<Set<string>> {
  const asked = await Promise.all(
    [...new Set(queues)].map(async (queue) => ({ queue, pollers: await pollersOf(client, 'activity', Date.now(), queue) })),
  );
  return new Set(asked.flatMap(({ queue, pollers }) => (pollers.length === 0 ? [queue] : [])));
}

/** The task queues on which work of open runs is, with the runs. @param which @default all of it */
export async function queuesOfOpenRuns(
  client: ThermidorClient,
  which: (work: PendingActivity) => boolean = () => true,
): Promise<Map<string, string[]>> {
  const runs = await listRuns(client, { open: true, children: true, limit: RUNS_ASKED });
  const found = new Map<string, string[]>();
  for (let from = 0; from < runs.length; from += AT_ONCE) {
    const part = runs.slice(from, from + AT_ONCE);
    const asked = await Promise.all(part.map(async ({ run }) => ({ run, ...(await readPendingActivities(client, run)) })));
    for (const { run, underWay } of asked) {
      const queues = new Set(underWay.filter(which).flatMap(({ queue }) => queue ?? []));
      for (const queue of queues) found.set(queue, [...(found.get(queue) ?? []), run]);
    }
  }
  return found;
}

/** In words: that no worker takes steps of a queue, and who can change that. @param taskQueue the one above it */
export function unservedQueue(taskQueue: string, queue: string): { text: string; who: string } {
  const name = shortQueue(taskQueue, queue);
  const host = /^host:(.+)$/.exec(name)?.[1];
  if (host !== undefined)
    return { text: `no worker of the host ${host} takes its steps`, who: 'the operator of that host: start its worker' };
  const line = name === DEFAULT ? 'thermidor worker' : `thermidor worker --queues ${DEFAULT},${name}`;
  return { text: `no worker takes steps of queue ${name}`, who: `the operator of the workers: ${line}` };
}

const DEFAULT = 'default';

/** `default`, a capability, or `host:ID`. */
export function shortQueue(taskQueue: string, queue: string): string {
  return queue === taskQueue ? DEFAULT : queue.slice(taskQueue.length + 1);
}
