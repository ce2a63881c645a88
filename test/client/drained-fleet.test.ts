import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import { drainedFleet, withDrained } from '../../client/drained-fleet';
import type { WaitReason } from '../../client/wait-reason';
import { memoryRecords } from '../../records/memory/memory-records';

const NOW = Date.now();

/** A server with workers of these hosts; `ageMs` since their heartbeats. */
function serverWith(workers: { host: string; ageMs?: number; status?: number }[] | Error): ThermidorClient {
  const listWorkers = async () => {
    if (workers instanceof Error) throw workers;
    return {
      workersInfo: workers.map(({ host, ageMs = 0, status = 1 }) => ({
        workerHeartbeat: {
          ...{ workerIdentity: `w@${host}`, taskQueue: 'q', status },
          heartbeatTime: { seconds: Math.floor((NOW - ageMs) / 1000), nanos: 0 },
        },
      })),
    };
  };
  const client = { namespace: 'n', taskQueue: 'q', call: (ask: () => unknown) => ask(), temporal: { workflowService: { listWorkers } } };
  return client as object as ThermidorClient;
}

async function drainedOnes(...hosts: string[]) {
  const records = memoryRecords();
  for (const host of hosts) await records.drained.drain(host, 'ann');
  return records;
}

const NO_WORKER: WaitReason = { kind: 'no-worker', text: 'no worker takes steps of queue gpu', who: 'the operator' };
const GATE: WaitReason = { kind: 'gate', text: 'a decision' };
const OPENING: WaitReason = { kind: 'opening', text: 'the run does not answer' };

test('if no host is drained, nothing is asked of the server', async () => {
  expect(await drainedFleet(serverWith(new Error('a defect')), await drainedOnes())).toBeUndefined();
  expect(withDrained([NO_WORKER], undefined)).toEqual([NO_WORKER]);
});

test('if no other host works, that is what a run waits for, whatever the server still knows of pollers', async () => {
  const server = serverWith([{ host: 'a' }, { host: 'b', status: 2 }, { host: 'c', ageMs: 60_000 }]);
  const fleet = await drainedFleet(server, await drainedOnes('a', 'z'), NOW);
  expect(withDrained([NO_WORKER, OPENING, GATE], fleet)).toEqual([
    { kind: 'drained', text: 'no worker takes work: hosts are drained: a, z', who: 'an operator: undrain', hosts: ['a', 'z'] },
    GATE,
  ]);
  const ended: WaitReason[] = [{ kind: 'ended', text: 'ended: completed' }];
  expect(withDrained(ended, fleet)).toEqual(ended);
});

test('while others work, a queue that nobody serves names the drained hosts', async () => {
  const fleet = await drainedFleet(serverWith([{ host: 'a' }, { host: 'b' }]), await drainedOnes('a'), NOW);
  expect(withDrained([NO_WORKER, GATE], fleet)).toEqual([{ ...NO_WORKER, who: 'the operator; drained: a' }, GATE]);
});

test('a server that does not list workers leaves what the store says', async () => {
  const refused = serverWith(new ClientProblem('server.refused', 'this server does not list workers'));
  const fleet = await drainedFleet(refused, await drainedOnes('a'), NOW);
  expect(fleet).toEqual({ hosts: ['a'] });
  expect(withDrained([NO_WORKER, GATE], fleet)).toEqual([{ ...NO_WORKER, who: 'the operator; drained: a' }, GATE]);
  await expect(drainedFleet(serverWith(new Error('a defect')), await drainedOnes('a'), NOW)).rejects.toThrow('a defect');
});
