import { join } from 'node:path';
import { startWorker, type WorkerOptions } from '../../worker/worker';
import { scratchFolder } from '../support/scratch-folder';

interface FakeWorker {
  options: Record<string, unknown>;
  stopped: boolean;
  end(error?: Error): void;
}

const mockWorkers: FakeWorker[] = [];
const mockClose = jest.fn(async () => undefined);

jest.mock('../../worker/runtime', () => ({ installRuntime: () => undefined }));
jest.mock('@temporalio/worker', () => ({
  GracefulShutdownPeriodExpiredError: class extends Error {},
  NativeConnection: {
    connect: async () => ({
      close: mockClose,
      withDeadline: async () => {
        throw new Error('may not ask');
      },
    }),
  },
  Worker: {
    create: async (options: Record<string, unknown>) => {
      let end: (error?: Error) => void = () => undefined;
      const run = new Promise<void>((resolve, reject) => {
        end = (error) => (error ? reject(error) : resolve());
      });
      const worker: FakeWorker = { options, stopped: false, end: (error) => end(error) };
      mockWorkers.push(worker);
      return {
        run: () => run,
        getState: () => (worker.stopped ? 'DRAINING' : 'RUNNING'),
        shutdown: () => {
          worker.stopped = true;
          end();
        },
      };
    },
  },
}));

const folder = scratchFolder();

function options(more: Partial<WorkerOptions> = {}): WorkerOptions {
  return {
    address: 'nowhere:1',
    namespace: 'default',
    taskQueue: 'thermidor',
    identity: 'me',
    stateDir: join(folder, 'state'),
    worktrees: { folder: join(folder, 'worktrees') },
    pipelineDirs: [],
    channels: {},
    defaultAdapter: 'scripted',
    mode: 'full',
    log: () => undefined,
    ...more,
  };
}

beforeEach(() => {
  mockWorkers.length = 0;
  mockClose.mockClear();
});

describe('a worker with capabilities', () => {
  test('listens on a queue for each, next to the shared one and that of its host; workflows come to the shared one alone', async () => {
    const worker = await startWorker(options({ queues: ['gpu', 'host', 'gpu'] }));
    expect(mockWorkers.map(({ options: { taskQueue } }) => taskQueue)).toEqual([
      ...['thermidor', 'thermidor:gpu', 'thermidor:host'],
      expect.stringMatching(/^thermidor:host:./),
    ]);
    expect(mockWorkers.map(({ options: wishes }) => 'workflowBundle' in wishes)).toEqual([true, false, false, false]);
    await worker.shutdown();
    expect(mockWorkers.every(({ stopped }) => stopped)).toBe(true);
    expect(mockClose).toHaveBeenCalledTimes(1);
  });

  test('takes no activities if it answers queries only', async () => {
    const worker = await startWorker(options({ queues: ['gpu'], mode: 'queries' }));
    expect(mockWorkers).toHaveLength(1);
    await worker.shutdown();
  });

  test('stops on all queues if one of them breaks off, and says why', async () => {
    const worker = await startWorker(options({ queues: ['gpu'] }));
    mockWorkers[1]?.end(new Error('broken'));
    await expect(worker.finished).rejects.toThrow('broken');
    expect(mockWorkers[0]?.stopped).toBe(true);
    expect(mockClose).toHaveBeenCalledTimes(1);
  });
});
