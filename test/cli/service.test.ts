import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropLease, takeLease } from '../../cli/embedded/leases';
import { markSelf } from '../../cli/embedded/process-mark';
import type { AcquireOptions, EmbeddedServer } from '../../cli/embedded/server';
import { writeServerRecord } from '../../cli/embedded/server-record';
import { stateFiles } from '../../cli/embedded/state-files';
import type { BroughtWorker } from '../../cli/session/bring-worker';
import { Service } from '../../cli/session/service';
import type { SessionOptions } from '../../cli/session/session-options';
import type { ThermidorClient } from '../../client/connect';

/** Who works while a session is open. Server, worker and time are of the test's making; the leases are real ones. */
const brought: string[] = [];
jest.mock('../../cli/serving/serving-note', () => ({ workerLease: async () => ({ role: 'worker' }) }));
jest.mock('../../cli/session/bring-worker', () => ({
  bringWorker: async ({ identity }: { identity: string }): Promise<BroughtWorker> => {
    brought.push(identity);
    return { identity, finished: new Promise(() => undefined), inHand: () => [], shutdown: async () => undefined };
  },
}));

let stateDir: string;
beforeEach(() => {
  jest.useFakeTimers();
  stateDir = mkdtempSync(join(tmpdir(), 'thermidor-service-'));
  mkdirSync(join(stateDir, 'leases'));
  writeServerRecord(stateFiles(stateDir).server, { port: 7233, uiPort: 8233, process: markSelf(), binary: 'none', startedAt: '' });
  brought.length = 0;
});
afterEach(() => {
  jest.useRealTimers();
  rmSync(stateDir, { recursive: true, force: true });
});

/** What `acquireServer` does, but that a server is there. The first worker's lease inherits from one that was lost. */
function acquiring(): (options: Pick<AcquireOptions, 'role'>) => Promise<EmbeddedServer> {
  const lost = ['lost'];
  return async ({ role }) => {
    const file = takeLease(stateFiles(stateDir).leases, role, [], new Date());
    const { identity } = file.lease;
    const lostWorkers = role === 'worker' ? lost.splice(0) : [];
    const more = { started: false, workerElsewhere: false, lostWorkers, identity, release: async () => dropLease(file) };
    return { address: '127.0.0.1:7233', uiUrl: 'http://127.0.0.1:8233', ...more };
  };
}

/** A server that answers the first so many questions by an error. */
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
  expect(readdirSync(stateFiles(stateDir).leases)).toEqual([]);
});
