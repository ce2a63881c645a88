import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Finished, Running } from './running';

const SCRIPT = join(__dirname, 'answer-commands.cjs');

/** Options of Node for the built program: most of its processes end before an optimization has paid. */
export const NODE_OPTIONS_OF_PROGRAM = ['--interrupt-budget=540672'];

/** The place where a command is typed. */
export interface Place {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** A desk's message about a command: a piece of its output, or how it ended. */
type Said = { id: number } & ({ out: string } | { err: string } | { code: number });

/** A command at a desk. */
export class DeskCommand extends Running {
  override readonly finished: Promise<Finished>;
  override ended = false;
  private settle: (how: Finished | Error) => void = () => undefined;

  /** @param interrupt its Ctrl-C */
  constructor(
    argv: readonly string[],
    readonly interrupt: () => void,
  ) {
    super(argv.join(' '));
    this.finished = new Promise((resolve, reject) => {
      this.settle = (how) => (how instanceof Error ? reject(how) : resolve(how));
    });
    this.finished.catch(() => undefined);
  }

  end(how: number | Error): void {
    this.ended = true;
    this.settle(how instanceof Error ? how : { code: how, out: this.out, err: this.err });
  }
}

/** A process of the built program that runs one command after the other, for commands whose own process the test does not look at. */
export class CommandDesk {
  private readonly process: ChildProcess;
  private readonly open = new Map<number, DeskCommand>();
  private readonly gone: Promise<unknown>;
  private said = '';
  private asked = 0;

  /** @param env settings of the process itself, such as options of Node */
  constructor(env: NodeJS.ProcessEnv) {
    this.process = fork(SCRIPT, [], { env, execArgv: NODE_OPTIONS_OF_PROGRAM, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], detached: true });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.said += text;
    });
    this.process.on('message', (said: Said) => this.hear(said));
    this.gone = once(this.process, 'close').then(() => {
      for (const command of this.open.values())
        command.end(new Error(`the process of the commands ended before its answer:\n${this.said}`));
      this.open.clear();
    });
  }

  get idle(): boolean {
    return this.open.size === 0 && !this.ended;
  }

  get ended(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** It starts once those before it have ended. */
  start(argv: readonly string[], place: Place): DeskCommand {
    this.asked += 1;
    const id = this.asked;
    const send = (message: object): void => {
      this.process.send(message, (error) => {
        if (error) command.end(error);
      });
    };
    const command = new DeskCommand(argv, () => send({ interrupt: id }));
    this.open.set(id, command);
    send({ id, argv, ...place });
    return command;
  }

  async close(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.gone;
  }

  private hear(said: Said): void {
    const command = this.open.get(said.id);
    if (command === undefined) return;
    if ('out' in said) command.out += said.out;
    else if ('err' in said) command.err += said.err;
    else {
      // Output of the process that bypasses the command's terminal is the command's as well.
      command.err += this.said;
      this.said = '';
      this.open.delete(said.id);
      command.end(said.code);
    }
  }
}
