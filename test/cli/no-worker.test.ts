import type { Session } from '../../cli/session/session';
import { warnNoWorker } from '../../cli/session/unserved-queues';
import { fakeTerminal } from './fake-terminal';

interface Server {
  pollers: number;
  served?: Session['served'];
}

async function told({ pollers, served = 'unknown' }: Server): Promise<string> {
  const lastAccessTime = { seconds: Math.floor(Date.now() / 1000) };
  const client = {
    address: 'there:7233',
    namespace: 'default',
    taskQueue: 'mine',
    call: (request: () => unknown) => request(),
    temporal: {
      workflowService: {
        describeTaskQueue: async () => ({ pollers: Array.from({ length: pollers }, () => ({ identity: 'w', lastAccessTime })) }),
      },
    },
  };
  const given = (value: string | undefined, source: string) => ({ value, source });
  const configuration = {
    address: given('there:7233', '--address'),
    namespace: given('default', 'default'),
    taskQueue: given('mine', 'THERMIDOR_TASK_QUEUE'),
    stateDir: given('/state', 'default'),
  };
  const terminal = fakeTerminal();
  await warnNoWorker({ client, served, configuration } as unknown as Session, terminal, ' (or run with --worker)');
  return terminal.written.err;
}

test('if nobody polls the task queue of a server of one’s own, that is said at once, with the lines that bring a worker', async () => {
  const text = await told({ pollers: 0 });
  expect(text).toContain('no worker polls the task queue mine at there:7233');
  expect(text).toContain('thermidor worker --address there:7233 (or run with --worker)\n');
});

test('nothing is said if somebody does, or if this process works itself', async () => {
  expect(await told({ pollers: 1 })).toBe('');
  expect(await told({ pollers: 0, served: 'here' })).toBe('');
});
