import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from './until';

/** How a program ended, and what it printed. */
export interface Finished {
  /** Null where a signal ended it. */
  code: number | null;
  out: string;
  err: string;
}

/** A program that runs, in a process group of its own, and what it has printed so far. */
export class Program {
  out = '';
  err = '';
  readonly finished: Promise<Finished>;
  private readonly child: ChildProcess;

  constructor(command: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
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

  get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The first line of its output that fits. Fails at once where it ended without one. */
  async untilLine(pattern: RegExp): Promise<string> {
    return until(`a line ${pattern} of ${this.child.spawnargs.join(' ')}`, () => {
      const line = this.out.split('\n').find((text) => pattern.test(text));
      if (line === undefined && this.ended) throw new Error(`it ended without a line ${pattern}:\n${this.out}${this.err}`);
      return line;
    });
  }

  /** Looks until there is something to see. Where there is not, or it ended before, the error has what it printed. */
  async until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    try {
      return await until(what, () => {
        const seen = look();
        if (this.ended && (seen === undefined || seen === false)) throw new Error(`it ended before this: ${what}`);
        return seen;
      });
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${this.out}${this.err}`);
    }
  }

  /** Its end, which has to be with this code; else the error has what it printed. */
  async endsWith(code: number): Promise<Finished> {
    const finished = await this.finished;
    if (finished.code === code) return finished;
    throw new Error(`${this.child.spawnargs.join(' ')} ended with ${finished.code}, not ${code}:\n${finished.out}${finished.err}`);
  }

  /** SIGKILL to this process alone, as in a crash: what it started stays. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.finished;
  }

  /** Whoever read what it says is gone, as when a terminal is closed. */
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
