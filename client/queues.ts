import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { QueueView } from '../plan/queue/queue-view';
import { QUEUE_VIEW, QUEUE_WORKFLOW, type QueueOrder } from '../plan/queue/ticket';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { ofWorker } from './server-error';

const ORDER_LIMIT_MS = 15_000;

export interface QueueOrderPayload {
  by?: string;
  reason?: string;
  ticket?: number;
}

/** Workflow ids of the merge queues that are there. */
export async function listQueues(client: ThermidorClient): Promise<string[]> {
  const query = `TaskQueue = '${client.taskQueue}' AND WorkflowType = '${QUEUE_WORKFLOW}' AND ExecutionStatus = 'Running'`;
  const found: string[] = [];
  await client.call(async () => {
    for await (const { workflowId } of client.temporal.workflow.list({ query })) found.push(workflowId);
  });
  return found.sort();
}

/** Undefined where there is no such queue. Fails with `worker.missing` where no worker answers. */
export async function readQueue(client: ThermidorClient, queue: string): Promise<QueueView | undefined> {
  try {
    return await client.call(() => client.temporal.workflow.getHandle(queue).query<QueueView, []>(QUEUE_VIEW), ORDER_LIMIT_MS);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw ofWorker(error);
  }
}

/** Fails with `queue.refused`, `queue.not-found`, `worker.missing`. */
export async function orderQueue(client: ThermidorClient, queue: string, order: QueueOrder, payload: QueueOrderPayload): Promise<void> {
  try {
    const handle = client.temporal.workflow.getHandle(queue);
    await client.call(() => handle.executeUpdate<void, [QueueOrderPayload]>(order, { args: [payload] }), ORDER_LIMIT_MS);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) {
      const hint = '`thermidor queue` lists those that there are';
      throw new ClientProblem('queue.not-found', `there is no merge queue "${queue}"`, { hint, cause: error });
    }
    if (!(error instanceof WorkflowUpdateFailedError)) throw ofWorker(error);
    const why = error.cause instanceof Error ? error.cause.message : error.message;
    throw new ClientProblem('queue.refused', why, { cause: error });
  }
}
