import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { Directory } from '../../../plan/people/people';

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
  /** @default that of the build */
  workflowBundle?: { codePath: string };
  /** The queue to begin with. */
  queue?: string;
  /** The boundary at which each run stops: `before agent bull#1~1`. The process kills itself when all of them have reached theirs. */
  boundaries?: Readonly<Record<string, string>>;
  /** Every boundary that it passes, a line each. */
  log?: string;
}

/** Worker processes of a test, all ended with it. */
export class BoundaryWorkers {
  private readonly processes: ChildProcess[] = [];

  constructor(private readonly shared: Omit<WorkerSpec, 'queue' | 'boundaries' | 'log'>) {}

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

  close(): void {
    for (const child of this.processes) child.kill('SIGKILL');
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
