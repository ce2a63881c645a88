import { mkdirSync, writeFileSync } from 'node:fs';
import disk from 'node:fs/promises';
import { dirname } from 'node:path';
import { serverFiles } from '../../cli/embedded/state-files';
import { openSession, type Session } from '../../cli/session/session';
import type { Configuration } from '../../cli/settings/configuration';
import { ClientProblem } from '../../client/client-problem';
import { scratchFolder } from '../support/scratch-folder';

const released: string[] = [];
const began: string[] = [];
jest.mock('../../cli/serving/worker-lease-note', () => ({ workerLease: async () => ({ role: 'worker' }) }));
jest.mock('../../cli/embedded/server', () => ({
  acquireServer: async () => ({ address: 'a:1', lostWorkers: [], identity: 'me', release: async () => void released.push('server') }),
}));
jest.mock('../../client/connect', () => ({ connectClient: async () => ({ close: async () => void released.push('client') }) }));
jest.mock('../../cli/session/start-own-worker', () => ({ startOwnWorker: async () => void began.push('worker') }));

const setting = (value: unknown) => ({ value, source: 'default' });

let folder: string;
beforeEach(() => {
  folder = scratchFolder();
  const { database } = serverFiles(folder);
  mkdirSync(dirname(database), { recursive: true });
  writeFileSync(database, '');
  began.length = 0;
  released.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A session that fails with this error when the command does its work. */
function opened(address: string | undefined, failure: Error): Promise<Session> {
  const configuration = {
    address: setting(address),
    namespace: setting('default'),
    taskQueue: setting('q'),
    stateDir: setting(folder),
    store: setting(undefined),
    storeSchema: setting('thermidor'),
    artifacts: setting(undefined),
    callbacks: setting({}),
    encryption: setting(undefined),
    apiKey: setting(undefined),
    tls: setting(undefined),
  } as unknown as Configuration;
  const first = () => Promise.reject(failure);
  return openSession({ configuration, need: 'worker', ownWorker: true, progress: () => undefined, first });
}

test.each([
  ['the embedded server', undefined, ['client', 'server']],
  ['a server of one’s own', 'there:7233', ['client']],
])('what a command is for is looked for before this process becomes a worker of %s', async (_what, address, closed) => {
  const gone = new ClientProblem('run.not-found', 'there is no run "nope"');
  await expect(opened(address, gone)).rejects.toBe(gone);
  expect(began).toEqual([]);
  expect(released).toEqual(closed);
});

test.each([
  ['the embedded server', undefined, 'store.unavailable'],
  ['a server of one’s own', 'there:7233', 'server.unreachable'],
])('on a full disk the silence of %s is put down to what is known of it', async (_what, address, code) => {
  jest.spyOn(disk, 'open').mockRejectedValue(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
  await expect(opened(address, new ClientProblem('server.unreachable', 'there was no answer'))).rejects.toMatchObject({ code });
});
