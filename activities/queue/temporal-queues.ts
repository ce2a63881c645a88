import { createHash } from 'node:crypto';
import {
  WithStartWorkflowOperation,
  type Workflow,
  type WorkflowClient,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import {
  type AskedBy,
  QUEUE_SIGNAL,
  QUEUE_SUBMIT,
  QUEUE_VERSION,
  QUEUE_WORKFLOW,
  type QueueOrder,
  type Ticket,
  ticketId,
} from '../../plan/queue/ticket';
import type { QueueAsker } from '../queue-port';

/**
 * The merge queues of a server: apart from temporal-call.ts the only file here that knows Temporal.
 *
 * @param taskQueue that of the workers that take workflows
 * @param timed limits the server's time, and words its failures
 */
export function queuesOn(workflows: WorkflowClient, taskQueue: string, timed: <T>(work: () => Promise<T>) => Promise<T>): QueueAsker {
  return {
    async ask(queue, asked) {
      const start = new WithStartWorkflowOperation(QUEUE_WORKFLOW, {
        ...{ workflowId: queue, taskQueue, workflowIdConflictPolicy: 'USE_EXISTING' as const },
        staticSummary: 'merge queue',
        args: [{ version: QUEUE_VERSION }],
      });
      // A ticket always has the same update id: an update that was taken is not taken again.
      const updateId = createHash('sha256').update(ticketId(asked)).digest('hex');
      const options = { args: [asked] as [AskedBy], startWorkflowOperation: start, updateId };
      return await timed(() => workflows.executeUpdateWithStart<Workflow, Ticket, [AskedBy]>(QUEUE_SUBMIT, options));
    },
    async drop(queue, ticket) {
      try {
        await timed(() =>
          workflows.getHandle(queue).executeUpdate<void, [{ ticket: number }]>('drop' satisfies QueueOrder, { args: [{ ticket }] }),
        );
      } catch (error) {
        // It has an outcome, or will have one in a moment.
        if (error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError) return;
        throw error;
      }
    },
    async wake({ workflowId, name }) {
      try {
        await timed(() => workflows.getHandle(workflowId).signal(QUEUE_SIGNAL, { name }));
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
  };
}
