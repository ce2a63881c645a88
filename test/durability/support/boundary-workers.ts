import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { connectClient, type ThermidorClient } from '../../../client/connect';
import type { Directory } from '../../../plan/people/people';
import type { Scratch } from './scratch';

const ROOT = resolve(__dirname, '../../..');
const SCRIPT = join(ROOT, 'test/support/boundary-worker.cjs');

export interface WorkerSpec {
  address: string;
  namespace: string;
  stateDir: string;
  pipelineDirs: string[];
  channels: Record<string, { webhook: string }>;
  directory?: Directory;
  defaultAdapter: string;
  mode: 'full';
  /** The queue to begin with. */
  queue?: string;
  /** The boundary at which each run stops: `before agent bull#1~1`. The process kills itself when all of them have reached theirs. */
  boundaries?: Readonly<Record<string, string>>;
  /** Every boundary that it passes, a line each. */
  log?: string;
}

type SharedSpec = Omit<WorkerSpec, 'queue' | 'boundaries' | 'log'>;

/** Worker processes of a scratch folder, and a client of its server. */
export class BoundaryWorkers {
  private readonly processes: ChildProcess[] = [];

  private constructor(
    private readonly scratch: Scratch,
    private readonly shared: SharedSpec,
    readonly client: ThermidorClient,
  ) {}

  static async in(scratch: Scratch, more: Partial<SharedSpec> = {}, place = scratch.place): Promise<BoundaryWorkers> {
    const folders = { stateDir: scratch.stateDir, pipelineDirs: [scratch.path('pipelines')] };
    const spec: SharedSpec = { ...place, ...folders, channels: {}, defaultAdapter: 'scripted', mode: 'full', ...more };
    return new BoundaryWorkers(scratch, spec, await connectClient(place));
  }

  /** Settles with the signal that ended the process. */
  async start(own: Pick<WorkerSpec, 'queue' | 'boundaries' | 'log'>): Promise<{ child: ChildProcess; died: Promise<string | null> }> {
    const spec = { ...this.shared, ...own, dist: join(ROOT, 'dist') };
    // In a test `process.env` is a copy, which a child would not get by itself.
    const child = fork(SCRIPT, [JSON.stringify(spec)], { env: process.env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.setMaxListeners(0);
    this.processes.push(child);
    const died = once(child, 'exit').then((how: unknown[]) => (typeof how[1] === 'string' ? how[1] : null));
    if (own.queue !== undefined) await this.polls(child, own.queue);
    return { child, died };
  }

  /** Makes a process poll one more queue. */
  async take(child: ChildProcess, queue: string): Promise<void> {
    const polling = this.polls(child, queue);
    child.send({ queue });
    await polling;
  }

  /** Kills the workers, and closes the folder. */
  async close(): Promise<void> {
    for (const child of this.processes) child.kill('SIGKILL');
    await this.client.close();
    await this.scratch.close();
  }

  private polls(child: ChildProcess, queue: string): Promise<void> {
    return new Promise((done) => {
      const listen = (message: unknown): void => {
        if (typeof message !== 'object' || message === null || !('started' in message) || message.started !== queue) return;
        child.off('message', listen);
        done();
      };
      child.on('message', listen);
    });
  }
}
