import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Finished } from './program';

const SCRIPT = join(__dirname, 'answer-commands.cjs');

/** A process of the built program that runs one command after the other: those whose own process is not what a test looks at. */
export class CommandDesk {
  private readonly process: ChildProcess;
  private readonly open = new Map<number, { resolve(finished: Finished): void; reject(error: Error): void }>();
  private readonly ended: Promise<unknown>;
  private said = '';
  private asked = 0;

  constructor(options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.process = fork(SCRIPT, [], { ...options, execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'], detached: true });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.said += text;
    });
    this.process.on('message', (answer: Finished & { id: number }) => {
      const { id, code, out, err } = answer;
      // What the process prints past the command's terminal is the command's as well.
      this.open.get(id)?.resolve({ code, out, err: err + this.said });
      this.said = '';
      this.open.delete(id);
    });
    this.ended = once(this.process, 'close').then(() => {
      for (const { reject } of this.open.values()) reject(new Error(`the process of the commands ended before its answer:\n${this.said}`));
      this.open.clear();
    });
  }

  run(argv: readonly string[]): Promise<Finished> {
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve, reject) => {
      this.open.set(id, { resolve, reject });
      this.process.send({ id, argv }, (error) => {
        if (error) reject(error);
      });
    });
  }

  async close(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}
