import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Finished, Running } from './running';

/** A program that runs, in a process group of its own. */
export class Program extends Running {
  override readonly finished: Promise<Finished>;
  private readonly child: ChildProcess;

  constructor(command: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number }) {
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    super(child.spawnargs.join(' '));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    this.child = child;
    this.finished = once(child, 'close').then(() => ({ code: child.exitCode, out: this.out, err: this.err }));
    this.finished.catch(() => undefined);
  }

  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new Error('it has never begun');
    return pid;
  }

  override get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** SIGKILL to this process alone, as in a crash: what it started stays. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.finished;
  }

  /** The reader of its output goes away, as when a terminal is closed. */
  unread(): void {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Ends the whole group, whatever is left of it. */
  async destroy(): Promise<void> {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    if (!this.ended) await this.finished;
  }
}
