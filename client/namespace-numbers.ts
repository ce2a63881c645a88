import { type NamespaceNumbers, OPEN_STATES, type OpenState } from '../plan/run/namespace-numbers';
import type { SearchAttributeName } from '../plan/run/search-attributes';
import type { ThermidorClient } from './connect';
import { hasStateAttribute } from './list-page';
import { listRuns, visibilityQuery } from './list-runs';
import { withoutChildren } from './own-gates';
import { describeSchedule } from './schedule-owner';
import { listSchedules } from './schedules';
import { backlogOf } from './task-queue';
import { queuesOfOpenRuns, shortQueue } from './unserved-queues';
import { listWorkers } from './workers';

/** Each of these is asked for. */
const MOST_SCHEDULES = 200;
const MOST_WAITING = 10_000;

const STATE: SearchAttributeName = 'ThermidorState';

/** Counts what there is now. Fails as the client does. @param now milliseconds since the epoch */
export async function readNamespace(
  client: ThermidorClient,
  queues: Iterable<string>,
  now = Date.now(),
): Promise<Omit<NamespaceNumbers, 'skipped'>> {
  const isIndexed = await hasStateAttribute(client);
  const runs = await openRuns(client, isIndexed);
  const waiting = await listRuns(client, { waiting: true, children: true, limit: MOST_WAITING }, isIndexed);
  const gates = withoutChildren(waiting).flatMap((run) => run.gates);
  const oldestMs = Math.min(now, ...gates.map(({ openedAt }) => Date.parse(openedAt)));
  return {
    runs,
    gates: { open: gates.length, oldestSeconds: gates.length === 0 ? 0 : (now - oldestMs) / 1000 },
    queues: (await Promise.all([...queues].map((queue) => waitingOn(client, queue)))).flat(),
  };
}

/** The whole names of the task queues that workers serve. */
export async function servedQueues(client: ThermidorClient): Promise<string[]> {
  return [client.taskQueue, ...(await listWorkers(client)).flatMap(({ queues }) => queues)];
}

/** The whole names of the task queues on which work of open runs waits for a worker, as far as the runs are looked at. */
export async function waitedOnQueues(client: ThermidorClient): Promise<string[]> {
  return [...(await queuesOfOpenRuns(client, ({ untaken }) => untaken === true)).keys()];
}

/** A run whose state the server does not know has begun only now, or began before the server had the attribute. */
async function openRuns(client: ThermidorClient, isIndexed: boolean): Promise<Record<OpenState, number>> {
  const open = visibilityQuery(client.taskQueue, { open: true });
  const count = (query: string) => client.call(async () => (await client.temporal.workflow.count(query)).count);
  const [all, ...known] = await Promise.all([
    count(open),
    ...OPEN_STATES.slice(1).map((state) => (isIndexed ? count(`${open} AND ${STATE} = '${state}'`) : 0)),
  ]);
  const [waiting = 0, held = 0, paused = 0] = known;
  return { running: Math.max(0, all - waiting - held - paused), waiting, held, paused };
}

async function waitingOn(client: ThermidorClient, taskQueue: string): Promise<NamespaceNumbers['queues']> {
  const queue = shortQueue(client.taskQueue, taskQueue);
  const kinds = taskQueue === client.taskQueue ? (['workflow', 'activity'] as const) : (['activity'] as const);
  return await Promise.all(kinds.map(async (kind) => ({ queue, kind, ...(await backlogOf(client, kind, taskQueue)) })));
}

/** What the schedules of the client's task queue have left out. */
export async function skippedStarts(client: ThermidorClient): Promise<NamespaceNumbers['skipped']> {
  const skipped = { overlap: 0, missed: 0 };
  for (const { schedule } of (await listSchedules(client)).filter(({ ours }) => ours).slice(0, MOST_SCHEDULES)) {
    const description = await describeSchedule(client, schedule);
    if (description?.action.taskQueue !== client.taskQueue) continue;
    skipped.overlap += description.info.numActionsSkippedOverlap;
    skipped.missed += description.info.numActionsMissedCatchupWindow;
  }
  return skipped;
}
