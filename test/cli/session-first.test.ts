import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { serverFiles } from '../../cli/embedded/state-files';
import { openSession } from '../../cli/session/session';
import type { Configuration } from '../../cli/settings/configuration';
import { ClientProblem } from '../../client/client-problem';

const released: string[] = [];
const began: string[] = [];
jest.mock('../../cli/serving/worker-lease-note', () => ({ workerLease: async () => ({ role: 'worker' }) }));
jest.mock('../../cli/embedded/server', () => ({
  acquireServer: async () => ({ address: 'a:1', lostWorkers: [], identity: 'me', release: async () => void released.push('server') }),
}));
jest.mock('../../client/connect', () => ({ connectClient: async () => ({ close: async () => void released.push('client') }) }));
jest.mock('../../cli/session/start-own-worker', () => ({ startOwnWorker: async () => void began.push('embedded') }));
jest.mock('../../cli/session/own-worker', () => ({ ensureOwnWorker: async () => void began.push('configured') }));

test.each([
  ['the embedded server', undefined, ['client', 'server']],
  ['a server of one’s own', 'there:7233', ['client']],
])('what a command is for is looked for before this process becomes a worker of %s', async (_what, address, closed) => {
  const folder = mkdtempSync(join(tmpdir(), 'thermidor-first-'));
  released.length = 0;
  try {
    const { database } = serverFiles(folder);
    mkdirSync(dirname(database), { recursive: true });
    writeFileSync(database, '');
    const setting = (value: unknown) => ({ value, source: 'default' });
    const configuration = {
      address: setting(address),
      namespace: setting('default'),
      taskQueue: setting('q'),
      stateDir: setting(folder),
      apiKey: setting(undefined),
      tls: setting(undefined),
    } as unknown as Configuration;
    const gone = new ClientProblem('run.not-found', 'there is no run "nope"');
    const opened = openSession({
      configuration,
      need: 'worker',
      ownWorker: true,
      progress: () => undefined,
      first: () => Promise.reject(gone),
    });
    await expect(opened).rejects.toBe(gone);
    expect(began).toEqual([]);
    expect(released).toEqual(closed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
