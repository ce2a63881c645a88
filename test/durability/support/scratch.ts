import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { peekServer } from '../../../cli/embedded/peek-server';
import { acquireServer, type EmbeddedServer } from '../../../cli/embedded/server';
import { stopProcess } from '../../../cli/embedded/server-process';
import { findTemporalBinary } from '../../../cli/embedded/temporal-binary';
import { identifyProcess, type ProcessIdentity } from '../../../records/locks/process-identity';
import { openPaths } from '../../support/open-paths';
import { NODE_OPTIONS_OF_PROGRAM } from './command-process';
import { type AtDesk, askAtDesk, followAtDesk } from './command-processes';
import { type DevServerOptions, startDevServer } from './dev-server';
import { Program } from './program';
import { replayRuns } from './replay-runs';
import type { Finished, Running } from './running';
import { type SharedNamespace, takeNamespace } from './shared-server';

const ROOT = resolve(__dirname, '../../..');
const PIPELINES = join(ROOT, 'pipelines');
const MAIN = join(ROOT, 'dist', 'cli', 'main.js');
/** The time to get the server's binary on a machine that has none. */
export const SET_UP_MS = 600_000;

/**
 * A working folder with the agents and schemas of the project, and everything that a test starts in it.
 *
 * Invariants: 1. programs see no Temporal or Thermidor settings of the person who runs the tests, and a home folder of their own; 2.
 * `close` ends every program, every program's group and the embedded server, and leaves no file; 3. it fails where the state folder shows
 * others what is kept in it, and where a run of an embedded server that still runs, or of its own namespace, does not replay; 4. a program
 * that uses what this version of Node deprecates fails.
 */
export class Scratch {
  private readonly programs: Program[] = [];
  private readonly atDesks: AtDesk[] = [];
  private kept: EmbeddedServer | undefined;
  private shared: SharedNamespace | undefined;

  private constructor(
    readonly folder: string,
    readonly binary: string,
    /** Added to the environment of every program. */
    private readonly settings: NodeJS.ProcessEnv,
  ) {}

  /** Commands with an embedded server: for tests that kill workers or servers, or look at how they start. */
  static async make(settings: NodeJS.ProcessEnv = {}): Promise<Scratch> {
    const { path } = await findTemporalBinary();
    const folder = mkdtempSync(join(tmpdir(), 'thermidor-durability-'));
    for (const name of ['agents', 'schemas']) cpSync(join(PIPELINES, name), join(folder, 'pipelines', name), { recursive: true });
    mkdirSync(join(folder, 'home'));
    return new Scratch(folder, path, settings);
  }

  /**
   * Its commands find the suite's server in their environment, with a namespace of the folder's own, as those of a user with a server.
   * Nobody works there unless a test starts a worker, and nobody gives back at once what one that was killed had in progress.
   */
  static async onSharedServer(settings: NodeJS.ProcessEnv = {}): Promise<Scratch> {
    const scratch = await Scratch.make({ ...settings });
    const shared = await takeNamespace(scratch.binary, scratch.environment());
    scratch.shared = shared;
    scratch.settings['TEMPORAL_ADDRESS'] = shared.address;
    scratch.settings['TEMPORAL_NAMESPACE'] = shared.namespace;
    return scratch;
  }

  /** The place, if the folder has one of its own on the suite's server. */
  get place(): { address: string; namespace: string } {
    if (this.shared === undefined) throw new Error('this folder has an embedded server');
    const { address, namespace } = this.shared;
    return { address, namespace };
  }

  /** Adds the pipelines of the project, for tests that run one: a worker of the folder compiles all of them when it starts. */
  addPipelines(): void {
    cpSync(PIPELINES, this.path('pipelines'), { recursive: true });
  }

  /** A folder within it as a place of its own, without anything of the project's. It is closed before this one. */
  within(name: string): Scratch {
    mkdirSync(join(this.folder, name, 'home'), { recursive: true });
    return new Scratch(join(this.folder, name), this.binary, this.settings);
  }

  /** Keeps the embedded server up between commands, which saves each of them its start; nobody works here. Returns its address. */
  async keepServer(): Promise<string> {
    this.kept ??= await acquireServer({ stateDir: this.stateDir, role: 'look', env: this.environment() });
    return this.kept.address;
  }

  /** Starts a server of a test's own, which ends with the folder; gives its address. */
  async startServer(options: Pick<DevServerOptions, 'dynamic'>): Promise<string> {
    const { address, program } = await startDevServer({ ...options, binary: this.binary, cwd: this.folder, env: this.environment() });
    this.programs.push(program);
    return address;
  }

  get stateDir(): string {
    return join(this.folder, '.thermidor');
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Lines of a file that steps write; none if the file does not exist yet. */
  lines(name: string): string[] {
    const path = this.path(name);
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  }

  start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Program {
    const program = new Program(command, args, this.whereTyped(env));
    this.programs.push(program);
    return program;
  }

  thermidor(...args: string[]): Program {
    return this.thermidorWith({}, ...args);
  }

  thermidorWith(env: NodeJS.ProcessEnv, ...args: string[]): Program {
    return this.start(process.execPath, [...NODE_OPTIONS_OF_PROGRAM, MAIN, ...args], env);
  }

  /** A command in a process that it shares with others of its kind: for tests of its answer, not of its process. */
  ask(...args: string[]): Promise<Finished> {
    return this.askWith({}, ...args);
  }

  askWith(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Finished> {
    return this.askIn('.', env, ...args);
  }

  /** @param folder within this one, where the command is typed */
  askIn(folder: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<Finished> {
    return this.atDesk(askAtDesk(args, { ...this.whereTyped(env), cwd: this.path(folder) })).finished;
  }

  /** A command that runs while others are asked, in a process that no test looks at: it is never killed, stopped or signalled. */
  follow(...args: string[]): Running {
    return this.followWith({}, ...args);
  }

  followWith(env: NodeJS.ProcessEnv, ...args: string[]): Running {
    return this.atDesk(followAtDesk(args, this.whereTyped(env)));
  }

  /** The output of a command with `--json`, asked as by `ask`. Fails if it was refused, or nobody answered it. */
  async json<T>(...args: string[]): Promise<T> {
    const finished = await this.ask(...args, '--json');
    if (finished.code === 0) return readJson<T>(finished, args);
    throw new Error(`${args.join(' ')} ended with ${finished.code}, not 0:\n${finished.out}${finished.err}`);
  }

  /** The plain Temporal CLI. */
  temporal(...args: string[]): Promise<Finished> {
    return this.start(this.binary, args).finished;
  }

  /** The embedded server's process. */
  async server(): Promise<{ pid: number; mark: ProcessIdentity; address: string }> {
    const { pid, address } = await peekServer(this.stateDir);
    const mark = pid === undefined ? undefined : identifyProcess(pid);
    if (pid === undefined || mark === undefined || address === undefined) throw new Error('no embedded server runs');
    return { pid, mark, address };
  }

  async killServer(): Promise<void> {
    const { pid, mark } = await this.server();
    process.kill(pid, 'SIGKILL');
    await stopProcess(mark);
  }

  async close(): Promise<void> {
    await Promise.all([...this.programs, ...this.atDesks].map((one) => one.destroy()));
    const { pid, address } = await peekServer(this.stateDir);
    const problems = address === undefined ? [] : await replayRuns(address);
    if (this.shared) problems.push(...(await replayRuns(this.shared.address, this.shared.namespace)));
    await this.shared?.release();
    await this.kept?.release();
    const mark = pid === undefined ? undefined : identifyProcess(pid);
    if (mark !== undefined) await stopProcess(mark, 0);
    this.expectClosed();
    if (problems.length > 0) throw new Error(problems.join('\n'));
    // Processes of commands may still be about to die, and write.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  /** Checks that no other user can read what is kept of any run. In a step's own folder its commands choose the modes. */
  private expectClosed(): void {
    const ofSteps = join(this.stateDir, 'work', sep);
    const open = existsSync(this.stateDir) ? openPaths(this.stateDir).filter((path) => !path.startsWith(ofSteps)) : [];
    if (open.length > 0) throw new Error(`other users can read ${open.join(', ')}`);
  }

  private atDesk(one: AtDesk): Running {
    this.atDesks.push(one);
    return one.command;
  }

  private whereTyped(env: NodeJS.ProcessEnv): { cwd: string; env: NodeJS.ProcessEnv } {
    return { cwd: this.folder, env: { ...this.environment(), ...env } };
  }

  private environment(): NodeJS.ProcessEnv {
    const ours = /^(TEMPORAL_|THERMIDOR_|XDG_|FORCE_COLOR$|CI$)/;
    const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
    const { binary, folder, settings } = this;
    return {
      ...kept,
      HOME: join(folder, 'home'),
      NO_COLOR: '1',
      NODE_OPTIONS: '--throw-deprecation',
      // The Go runtime of servers and of the Temporal CLI collects as if memory were scarce.
      GOGC: '400',
      THERMIDOR_TEMPORAL_CLI: binary,
      ...settings,
    };
  }
}

/** The document on standard output. */
export function readJson<T>({ out, err, code }: Finished, args: readonly string[] = []): T {
  try {
    return JSON.parse(out) as T;
  } catch {
    throw new Error(`${args.join(' ')} ended with ${code} and printed no JSON:\n${out}${err}`);
  }
}
