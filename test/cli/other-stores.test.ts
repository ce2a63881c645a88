import { otherStoreChecks } from '../../cli/checks/other-stores';
import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import { memoryRecords } from '../../records/memory/memory-records';

/** A server with these workers, each of one process with these queues. */
function serverWith(workers: { identity: string; queues: string[]; ageMs?: number; status?: number }[] | Error): ThermidorClient {
  const listWorkers = async () => {
    if (workers instanceof Error) throw workers;
    return {
      workersInfo: workers.flatMap(({ identity, queues, ageMs = 0, status = 1 }) =>
        queues.map((taskQueue) => ({
          workerHeartbeat: {
            ...{ workerIdentity: identity, taskQueue, status },
            heartbeatTime: { seconds: Math.floor((Date.now() - ageMs) / 1000), nanos: 0 },
          },
        })),
      ),
    };
  };
  const client = { namespace: 'n', taskQueue: 'q', call: (ask: () => unknown) => ask(), temporal: { workflowService: { listWorkers } } };
  return client as object as ThermidorClient;
}

test('a worker of this task queue whose signs of life are in another store is named; others are not', async () => {
  const records = memoryRecords();
  await records.presence(() => undefined).announce('a', async () => ({ identity: 'ours@a' }));
  const queues = ['q', 'q:host:x-1'];
  const ours = { identity: 'ours@a', queues };
  const fine = [ours, { identity: 'silent@b', queues, ageMs: 60_000 }, { identity: 'stops@b', queues, status: 2 }];
  expect(await otherStoreChecks(serverWith([...fine, { identity: 'a-command@b', queues: ['q'] }]), records)).toEqual([]);
  expect(await otherStoreChecks(serverWith([ours, { identity: 'theirs@b', queues }]), records)).toEqual([
    {
      ...{ name: 'workers', state: 'warning', says: 'theirs@b: of task queue q, but not of this store' },
      hint: expect.stringContaining('`task_queue` each'),
    },
  ]);
});

test('a server that lists no workers is no reason to warn of them', async () => {
  const refusal = new ClientProblem('server.refused', 'this server does not list workers');
  expect(await otherStoreChecks(serverWith(refusal), memoryRecords())).toEqual([]);
  expect(await otherStoreChecks(serverWith(new ClientProblem('server.unreachable', 'away')), memoryRecords())).toMatchObject([
    { state: 'warning', says: 'cannot be looked at: away' },
  ]);
});
