import { defined } from '../plan/defined';
import { shortBuild } from '../plan/run/deployment';
import type { ThermidorClient } from './connect';
import { listRuns } from './list-runs';
import { type PendingActivity, readPendingActivities } from './pending-activities';
import { readQueue, takersIn } from './task-queue';

/** Whose work nobody takes on a queue. */
export interface IdleQueue {
  /** The version that alone would get it. */
  version?: string;
  /** Versions that poll the queue, and get none of it. */
  others: string[];
}

/** A queue that nobody serves, and the runs that have work on it. */
export interface UnservedQueue extends IdleQueue {
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
  return [...idle].map(([queue, why]) => ({ queue, ...why, runs: needed.get(queue) ?? [] }));
}

/**
 * Those of the task queues on which no worker has polled for activities within the last minute that would get them.
 *
 * @param pinnedTo the version of the run whose work it is
 */
export async function idleAmong(client: ThermidorClient, queues: Iterable<string>, pinnedTo?: string): Promise<Map<string, IdleQueue>> {
  const asked = await Promise.all(
    [...new Set(queues)].map(async (queue) => ({ queue, state: await readQueue(client, 'activity', queue) })),
  );
  return new Map(
    asked
      .filter(({ state }) => takersIn(state, pinnedTo).length === 0)
      .map(({ queue, state }) => {
        const others = [...new Set(state.pollers.flatMap(({ build }) => build ?? []))];
        return [queue, { others, ...defined({ version: pinnedTo ?? state.current }) }];
      }),
  );
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

/** In words: that no worker takes steps of a queue, and who can change that. `capability`: its name. @param taskQueue the one above it */
export function unservedQueue(
  taskQueue: string,
  queue: string,
  { version, others }: IdleQueue,
): { text: string; who: string; capability?: string } {
  const name = shortQueue(taskQueue, queue);
  const whose = version !== undefined ? ` of version ${shortBuild(version)}` : others.length > 0 ? ' of the current version' : '';
  const host = /^host:(.+)$/.exec(name)?.[1];
  if (host !== undefined)
    return { text: `no worker${whose} of the host ${host} takes its steps`, who: 'the operator of that host: start its worker' };
  const capability = name === DEFAULT ? undefined : name;
  const who = `the operator of the workers: thermidor ${workerLine(capability)}`;
  return { text: `no worker${whose} takes steps of queue ${name}`, who, ...defined({ capability }) };
}

/** The words that start a worker which also takes steps of a capability's queue. */
export function workerLine(capability: string | undefined): string {
  return capability === undefined ? 'worker' : `worker --queues ${DEFAULT},${capability}`;
}

const DEFAULT = 'default';

/** `default`, a capability, or `host:ID`. */
export function shortQueue(taskQueue: string, queue: string): string {
  return queue === taskQueue ? DEFAULT : queue.slice(taskQueue.length + 1);
}
