import { ServiceError } from '@temporalio/client';
import { actOnRun } from '../../client/act-on-run';
import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import { orderQueue, readQueue } from '../../client/queues';
import { readGates, readStatus } from '../../client/read-run';
import { asProblem } from '../../client/server-error';

interface Silent {
  pollers: number;
  /** The number of requests that nobody answers. Later ones are answered. */
  silences?: number;
  code?: number;
}

/** The SDK's failures if no answer came within the deadline, and if the server knows no poller. */
function late(code: number): Error {
  const details = code === 4 ? 'no answer' : 'no poller seen for task queue recently';
  return new ServiceError('the request failed', { cause: Object.assign(new Error(details), { code, details, metadata: {} }) });
}

function clientOf({ pollers, silences = Number.POSITIVE_INFINITY, code = 4 }: Silent) {
  let asked = 0;
  const answer = async () => {
    asked += 1;
    if (asked <= silences) throw late(code);
    return { steps: [], line: [], totalSteps: 0 };
  };
  const lastAccessTime = { seconds: Math.floor(Date.now() / 1000) };
  const client = {
    ...{ namespace: 'default', taskQueue: 'thermidor', address: 'here:7233' },
    call: async (request: () => Promise<unknown>) => {
      try {
        return await request();
      } catch (error) {
        throw asProblem(error, { address: 'here:7233', namespace: 'default' }) ?? error;
      }
    },
    temporal: {
      workflowService: {
        getWorkflowExecutionHistoryReverse: async () => ({ history: { events: [] } }),
        describeTaskQueue: async () => ({ pollers: Array.from({ length: pollers }, () => ({ identity: 'w', lastAccessTime })) }),
      },
      workflow: { getHandle: () => ({ query: answer, executeUpdate: answer }) },
    },
  };
  return { client: client as unknown as ThermidorClient, asked: () => asked };
}

/** Every query to a worker. */
const REQUESTS: [what: string, ask: (client: ThermidorClient) => Promise<unknown>, again: boolean][] = [
  ['the state of a run', (client) => readStatus(client, 'r'), true],
  ['the gates of a run', (client) => readGates(client, 'r'), true],
  ['the gates of a run, in a moment', (client) => readGates(client, 'r', 100), false],
  ['a queue', (client) => readQueue(client, 'queue:r#main'), true],
  ['a decision', (client) => actOnRun(client, 'r', 'approve', {}), false],
  ['an order to a queue', (client) => orderQueue(client, 'queue:r#main', 'pause', {}), false],
];

describe.each(REQUESTS)('if nobody answers for %s', (_, ask, again) => {
  it('no worker did, if none polls', async () => {
    const { client, asked } = clientOf({ pollers: 0 });
    const failure = await ask(client).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(ClientProblem);
    expect(failure).toMatchObject({ code: 'worker.missing', message: 'no worker answered in time' });
    expect(asked()).toBe(1);
  });

  it.each([
    [1, /one has polled the task queue thermidor/],
    [3, /3 have polled/],
  ])('%d may be busy where they poll', async (pollers, words) => {
    const { client, asked } = clientOf({ pollers });
    await expect(ask(client)).rejects.toMatchObject({
      ...{ code: 'worker.missing', message: expect.stringMatching(words), more: { hint: expect.stringContaining('busy') } },
    });
    expect(asked()).toBe(again ? 2 : 1);
  });
});

it.each([4, 9])('a worker that was busy for a moment answers the second time (status %d)', async (code) => {
  const { client, asked } = clientOf({ pollers: 1, silences: 1, code });
  await expect(readGates(client, 'r')).resolves.toBeDefined();
  expect(asked()).toBe(2);
});
