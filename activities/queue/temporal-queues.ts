import { createHash } from 'node:crypto';
import { WithStartWorkflowOperation, type Workflow, type WorkflowClient, WorkflowNotFoundError } from '@temporalio/client';
import { type AskedBy, QUEUE_SIGNAL, QUEUE_SUBMIT, QUEUE_WORKFLOW, type Ticket, ticketId } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import type { QueueAsker } from '../queue-port';

/**
 * The merge queues of a server: beside temporal-call.ts the only file here that knows Temporal.
 *
 * @param taskQueue of the workers that take workflows
 * @param timed bounds what the server may take
 */
export function queuesOn(workflows: WorkflowClient, taskQueue: string, timed: <T>(work: () => Promise<T>) => Promise<T>): QueueAsker {
  return {
    async ask(queue, asked) {
      const start = new WithStartWorkflowOperation(QUEUE_WORKFLOW, {
        ...{ workflowId: queue, taskQueue, workflowIdConflictPolicy: 'USE_EXISTING' as const },
        staticSummary: 'merge queue',
        args: [{}],
      });
      // The same for the same ticket: an update that was taken is not taken again.
      const updateId = createHash('sha256').update(ticketId(asked)).digest('hex');
      const options = { args: [asked] as [AskedBy], startWorkflowOperation: start, updateId };
      try {
        return await timed(() => workflows.executeUpdateWithStart<Workflow, Ticket, [AskedBy]>(QUEUE_SUBMIT, options));
      } catch (error) {
        throw new ThermidorFailure('queue.unavailable', `the merge queue ${queue} takes no ticket: ${causeOf(error)}`, { queue });
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

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
