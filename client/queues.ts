import {
  QueryNotRegisteredError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { defined } from '../plan/defined';
import { attemptAddresses } from '../plan/queue/queue-activities';
import type { AttemptView, QueueView } from '../plan/queue/queue-view';
import { QUEUE_VIEW, QUEUE_WORKFLOW, type QueueOrder } from '../plan/queue/ticket';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { isNotFound } from './error-cause';
import { executionsOf } from './executions';
import { readPendingActivities } from './pending-activities';
import { queryPatiently } from './read-run';
import { askAgainIfBusy, ofSilentWorker } from './silent-worker';
import { newerWorkerNeeded, saysTooOld, workerTooOld } from './task-failure';

/** Longer than a query: an update waits for the workflow task that takes it. */
const UPDATE_LIMIT_MS = 15_000;

export interface QueueOrderPayload {
  by?: string;
  reason?: string;
  ticket?: number;
}

/** Workflow ids of the existing merge queues. */
export async function listQueues(client: ThermidorClient): Promise<string[]> {
  const query = `TaskQueue = '${client.taskQueue}' AND WorkflowType = '${QUEUE_WORKFLOW}' AND ExecutionStatus = 'Running'`;
  const found: string[] = [];
  for await (const { workflowId } of executionsOf(client, query)) found.push(workflowId);
  return found.sort();
}

/**
 * Undefined if there is no such queue. Fails with `worker.missing` if no worker answers, `worker.too-old` if each leaves it to a newer one.
 */
export async function readQueue(client: ThermidorClient, queue: string): Promise<QueueView | undefined> {
  try {
    // A task that fails again and again does not answer before the time is up.
    const left = await queueLeftAlone(client, queue);
    if (left) throw left;
    const view = await askAgainIfBusy(client, () => queryPatiently<QueueView, []>(client, queue, QUEUE_VIEW, []));
    return view.line.length === 0 ? view : { ...view, line: await withTroubles(client, queue, view.line) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isNotFound(error)) return undefined;
    if (error instanceof ClientProblem && error.code === 'worker.too-old') throw error;
    if (!(error instanceof QueryNotRegisteredError)) throw await ofSilentWorker(client, error);
    // Otherwise the name belongs to something that is not a queue.
    throw saysTooOld(error.message) ? workerTooOld(queue, error.message, error) : notFound(queue, error);
  }
}

/** Adds why the queue's activities are retried, which the queue itself does not know. */
async function withTroubles(client: ThermidorClient, queue: string, line: readonly AttemptView[]): Promise<AttemptView[]> {
  const { underWay } = await readPendingActivities(client, queue);
  const troubles = new Map(underWay.map(({ address, lastFailure }) => [address, lastFailure]));
  return line.map((attempt) => {
    const found = attemptAddresses(attempt.number).map((address) => troubles.get(address));
    return { ...attempt, ...defined({ trouble: found.find((trouble) => trouble !== undefined) }) };
  });
}

/** Fails with `queue.refused`, `queue.not-found`, `worker.missing`, `worker.too-old`. */
export async function orderQueue(client: ThermidorClient, queue: string, order: QueueOrder, payload: QueueOrderPayload): Promise<void> {
  const handle = client.temporal.workflow.getHandle(queue);
  await updating(client, queue)(() => handle.executeUpdate<void, [QueueOrderPayload]>(order, { args: [payload] }));
}

/** Makes updates of a queue. They fail with `queue.refused`, `queue.not-found`, `worker.missing`, or the server's problem. */
export function updating(client: ThermidorClient, queue: string): <T>(work: () => Promise<T>) => Promise<T> {
  return async (work) => {
    try {
      return await client.call(work, UPDATE_LIMIT_MS);
    } catch (error) {
      const left = error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ? await queueLeftAlone(client, queue, error) : undefined;
      if (left) throw left;
      throw await ofSilentWorker(client, problemOf(error, queue));
    }
  };
}

/** `worker.too-old`, if the existing workers leave the queue to newer ones. */
export async function queueLeftAlone(client: ThermidorClient, queue: string, cause?: unknown): Promise<ClientProblem | undefined> {
  const newer = await newerWorkerNeeded(client, queue);
  return newer === undefined ? undefined : workerTooOld(queue, newer, cause);
}

function problemOf(error: unknown, queue: string): unknown {
  if (error instanceof WorkflowNotFoundError) return notFound(queue, error);
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
    const hint = 'start one with `thermidor worker` or `thermidor up`, then try again';
    return new ClientProblem('worker.missing', 'no worker took the request in time; a later worker may still process it', {
      hint,
      cause: error,
    });
  }
  if (error instanceof WorkflowUpdateFailedError || error instanceof WorkflowExecutionAlreadyStartedError)
    return new ClientProblem('queue.refused', error.cause instanceof Error ? error.cause.message : error.message, { cause: error });
  return error;
}

function notFound(queue: string, cause: unknown): ClientProblem {
  return new ClientProblem('queue.not-found', `there is no merge queue "${queue}"`, {
    hint: '`thermidor queue` lists the merge queues',
    cause,
  });
}
