import { WorkflowNotFoundError } from '@temporalio/client';
import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import { runsOnServer } from '../../client/runs-on-server';

/** A client of a server that says this of every run. */
function clientOf(over: { describe?: () => Promise<unknown>; query?: () => Promise<unknown>; pollers?: unknown[] }): ThermidorClient {
  const { describe, query, pollers } = over;
  const temporal = {
    workflow: { getHandle: () => ({ describe, query }) },
    workflowService: { describeTaskQueue: async () => ({ pollers }) },
  };
  return { temporal, namespace: 'n', taskQueue: 'q', call: (work: () => Promise<unknown>) => work() } as unknown as ThermidorClient;
}

const described =
  (name: string, firstRunId = 'first') =>
  async () => ({ status: { name }, raw: { workflowExecutionInfo: { firstRunId } } });
const RUN = { workflowId: 'run-a', run: 'first' };

test.each([
  ['RUNNING', 'first', true],
  ['PAUSED', 'first', true],
  ['COMPLETED', 'first', false],
  ['TERMINATED', 'first', false],
  // Another run has its id.
  ['RUNNING', 'second', false],
  // A server that does not say which.
  ['RUNNING', '', true],
])('a run of which the server says %s under %s is open: %s', async (status, first, isOpen) => {
  expect(await runsOnServer(clientOf({ describe: described(status, first) })).isOpen(RUN)).toBe(isOpen);
});

test('a run that the server does not know is not open, and nobody knows of one if the server is away', async () => {
  const unknown = clientOf({ describe: () => Promise.reject(new WorkflowNotFoundError('no', 'run-a', undefined)) });
  expect(await runsOnServer(unknown).isOpen(RUN)).toBe(false);
  const away = clientOf({ describe: () => Promise.reject(new ClientProblem('server.unreachable', 'away')) });
  await expect(runsOnServer(away).isOpen(RUN)).rejects.toThrow('away');
});

test('a run without a worker is silent, and one of a server that is away is not', async () => {
  const silent = clientOf({ query: () => Promise.reject(new ClientProblem('worker.missing', 'nobody answers')) });
  expect(await runsOnServer(silent).says(RUN)).toBeUndefined();
  const away = clientOf({ query: () => Promise.reject(new ClientProblem('server.unreachable', 'away')) });
  await expect(runsOnServer(away).says(RUN)).rejects.toThrow('away');
});

test('the clock of the server is that of the newest poll', async () => {
  const at = (seconds: number) => ({ lastAccessTime: { seconds } });
  expect(await runsOnServer(clientOf({ pollers: [at(10), at(30), at(20)] })).clockMs()).toBe(30_000);
  expect(await runsOnServer(clientOf({ pollers: [] })).clockMs()).toBeUndefined();
});
