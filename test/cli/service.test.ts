import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dropLease, takeLease } from '../../cli/embedded/leases';
import type { AcquireOptions, EmbeddedServer } from '../../cli/embedded/server';
import { writeServerRecord } from '../../cli/embedded/server-record';
import { serverFiles } from '../../cli/embedded/state-files';
import { Service } from '../../cli/session/service';
import type { SessionOptions } from '../../cli/session/session-options';
import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import { identifySelf } from '../../records/locks/process-identity';
import type { RunningWorker } from '../../worker/running-worker';
import { scratchFolder } from '../support/scratch-folder';

/** Who works while a session is open. The test simulates server, worker and time; the leases are real. */
const brought: string[] = [];
/** Errors that keep the next workers from starting, in order. */
const refused: Error[] = [];
jest.mock('../../cli/serving/worker-lease-note', () => ({ workerLease: async () => ({ role: 'worker' }) }));
jest.mock('../../cli/session/start-own-worker', () => ({
  startOwnWorker: async ({ identity }: { identity: string }): Promise<RunningWorker> => {
    const problem = refused.shift();
    if (problem) throw problem;
    brought.push(identity);
    return { identity, finished: new Promise(() => undefined), inHand: () => [], shutdown: async () => undefined };
  },
}));

let stateDir: string;
beforeEach(() => {
  jest.useFakeTimers();
  stateDir = scratchFolder();
  mkdirSync(join(stateDir, 'leases'));
  writeServerRecord(serverFiles(stateDir).server, { port: 7233, uiPort: 8233, process: identifySelf(), binary: 'none', startedAt: '' });
  brought.length = 0;
  refused.length = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

/** Does what `acquireServer` does, except that a server is there. The first worker's lease inherits from one that was lost. */
function acquiring(): (options: Pick<AcquireOptions, 'role'>) => Promise<EmbeddedServer> {
  const lost = ['lost'];
  return async ({ role }) => {
    const file = takeLease(serverFiles(stateDir).leases, role, [], new Date());
    const { identity } = file.lease;
    const lostWorkers = role === 'worker' ? lost.splice(0) : [];
    const more = { started: false, workerElsewhere: false, lostWorkers, identity, release: async () => dropLease(file) };
    return { address: '127.0.0.1:7233', uiUrl: 'http://127.0.0.1:8233', ...more };
  };
}

/** A server that answers the first `times` questions with an error. */
function clientThatFails(times: number): { client: ThermidorClient; asked: () => number } {
  let asked = 0;
  const listWorkflowExecutions = async () => {
    if (asked++ < times) throw new Error('busy');
    return { executions: [], nextPageToken: new Uint8Array() };
  };
  const at = { address: '127.0.0.1:7233', namespace: 'default', taskQueue: 'thermidor', embedded: true };
  const call = async <T>(request: () => Promise<T>): Promise<T> => await request();
  const client = { ...at, call, connection: { workflowService: { listWorkflowExecutions } } } as unknown as ThermidorClient;
  return { client, asked: () => asked };
}

test('what a lost worker had is given back as soon as the server lets it, and then this process works', async () => {
  const { client, asked } = clientThatFails(2);
  const acquire = acquiring();
  const options = {
    configuration: { stateDir: { value: stateDir } },
    need: 'worker',
    progress: () => undefined,
  } as unknown as SessionOptions;
  const service = new Service(options, client, acquire);
  await service.begin({ ...(await acquire({ role: 'look' })), workerElsewhere: true });
  await jest.advanceTimersByTimeAsync(2_500);
  expect({ asked: asked(), brought }).toEqual({ asked: 2, brought: [] });
  await jest.advanceTimersByTimeAsync(3_000);
  expect({ asked: asked(), brought }).toEqual({ asked: 3, brought: [expect.any(String)] });
  await service.stop();
  expect(readdirSync(serverFiles(stateDir).leases)).toEqual([]);
});

describe('a connection that is refused while the worker starts', () => {
  const unreachable = () => new ClientProblem('server.unreachable', 'connection refused');
  function opening(): { service: Service; told: string[]; begun: Promise<unknown> } {
    const told: string[] = [];
    const acquire = acquiring();
    const options = {
      configuration: { stateDir: { value: stateDir } },
      need: 'worker',
      progress: (line: string) => told.push(line),
    } as unknown as SessionOptions;
    const service = new Service(options, clientThatFails(0).client, acquire);
    const begun = acquire({ role: 'worker' })
      .then((lease) => service.begin(lease))
      .catch((error: unknown) => error);
    return { service, told, begun };
  }

  test('is reported, and the worker is started again', async () => {
    refused.push(unreachable(), unreachable());
    const { service, told, begun } = opening();
    await jest.advanceTimersByTimeAsync(2_000);
    expect([await begun, brought.length, told.length]).toEqual([undefined, 1, 2]);
    expect(service.serving).toBe(true);
    await service.stop();
  });

  test('ends the session with its code if it lasts', async () => {
    refused.push(...Array.from({ length: 100 }, unreachable));
    const { service, begun } = opening();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await begun).toMatchObject({ code: 'server.unreachable' });
    await service.stop();
  });

  test('is no reason to wait if the server refuses for good', async () => {
    refused.push(new ClientProblem('server.refused', 'no such namespace'));
    const { service, begun } = opening();
    await jest.advanceTimersByTimeAsync(100);
    expect(await begun).toMatchObject({ code: 'server.refused' });
    await service.stop();
  });
});
