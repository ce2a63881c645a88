import { QueryNotRegisteredError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import type { ThermidorClient } from '../../client/connect';
import { orderQueue, readQueue } from '../../client/queues';
import { whyTooOldForQueue } from '../../plan/run/worker-version';

const VIEW = { line: [], waiting: [], done: [] };
const FAILED = { workflowTaskFailedEventAttributes: { failure: { message: whyTooOldForQueue(99) } } };
const COMPLETED = { workflowTaskCompletedEventAttributes: {} };

/** A server with one queue, whose newest events come first. */
function clientOf(events: object[], query = async (): Promise<unknown> => VIEW): ThermidorClient {
  return {
    ...{ namespace: 'default', taskQueue: 'thermidor', call: (request: () => unknown) => request() },
    temporal: {
      workflowService: { getWorkflowExecutionHistoryReverse: async () => ({ history: { events } }) },
      workflow: {
        getHandle: () => ({
          query,
          executeUpdate: () => Promise.reject(new WorkflowUpdateRPCTimeoutOrCancelledError('late')),
        }),
      },
    },
  } as object as ThermidorClient;
}

test('what its workers leave to workers of a later version is said, to people who look and to people who give orders', async () => {
  const left = { code: 'worker.too-old', message: expect.stringContaining('the queue needs a worker whose merge queues have version 99') };
  await expect(readQueue(clientOf([{}, FAILED]), 'q')).rejects.toMatchObject(left);
  await expect(orderQueue(clientOf([{}, FAILED]), 'q', 'pause', {})).rejects.toMatchObject(left);
});

test('the same is said about a queue that has been idle since a later version worked on it, whose query fails alone', async () => {
  const asked = (message: string) =>
    readQueue(
      clientOf([COMPLETED], () => Promise.reject(new QueryNotRegisteredError(message, 3))),
      'q',
    );
  await expect(asked(`WorkerTooOld: ${whyTooOldForQueue(99)}`)).rejects.toMatchObject({
    code: 'worker.too-old',
    message: expect.stringMatching(/^q: the queue needs a worker/),
  });
  await expect(asked('no handler')).rejects.toMatchObject({ code: 'queue.not-found' });
});

test('nothing is said of it once a worker of that version has taken it', async () => {
  expect(await readQueue(clientOf([COMPLETED, FAILED]), 'q')).toEqual(VIEW);
});
