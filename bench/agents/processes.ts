import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { field, type Json } from '../../plan/text/json';
import { answerOf } from '../answer-of';
import { profiling } from '../compile/stage';
import { KEY_NAME } from './cases';
import { type FromProcess, isFromProcess, type ToProcess } from './messages';

/** A process of the bench that answers questions. */
export interface BenchProcess {
  begin(): void;
  report<K extends FromProcess['kind']>(kind: K): Promise<Extract<FromProcess, { kind: K }>>;
  /** Never resolves. Rejects if the process ends without a request. */
  lost: Promise<never>;
  end(): Promise<void>;
}

/** Starts the service and returns its address, too. */
export async function startService(signal: AbortSignal): Promise<BenchProcess & { url: string }> {
  const { child, ...service } = started(join(__dirname, 'model-process.js'), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }, signal);
  const { url } = await Promise.race([answerOf(child, isFromProcess, 'listens'), service.lost]);
  return { ...service, url };
}

export interface WorkerSpec {
  program: string;
  folder: string;
  signal: AbortSignal;
  profileDir: string | undefined;
}

/** Runs `thermidor up` in a folder: the server, and the one worker in the measured process. Returns the server's address too. */
export async function startWorker({ program, folder, signal, profileDir }: WorkerSpec): Promise<BenchProcess & { address: string }> {
  const execArgv = [...profiling(profileDir), '--require', join(__dirname, 'probe.js')];
  const stdio: ForkOptions['stdio'] = ['ignore', 'pipe', 'pipe', 'ipc'];
  const { child, ...worker } = started(program, ['up', '--json'], { cwd: folder, env: ownEnvironment(), execArgv, stdio }, signal);
  const said: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  if (!child.stdout) throw new Error('thermidor up has no output');
  const lines = createInterface({ input: child.stdout }).on('line', (line) => said.push(line));
  const ready = once(lines, 'line').then(([line]) => addressIn(String(line)));
  const address = await Promise.race([ready, worker.lost]).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${said.join('\n')}`);
  });
  if (address !== undefined) return { ...worker, address };
  await worker.end();
  throw new Error(`thermidor up named no address\n${said.join('\n')}`);
}

function addressIn(line: string): string | undefined {
  if (!line.startsWith('{"')) return undefined;
  const answer: Json = JSON.parse(line);
  const address = field(answer, 'address');
  return typeof address === 'string' ? address : undefined;
}

/** The environment without the caller's settings. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const settings = /^(?:THERMIDOR_(?!TEMPORAL_CLI)|TEMPORAL_|ANTHROPIC_)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)));
  return { ...env, NO_COLOR: '1', [KEY_NAME]: 'a-key-of-the-bench' };
}

function started(
  program: string,
  words: readonly string[],
  options: ForkOptions,
  signal: AbortSignal,
): BenchProcess & { child: ChildProcess } {
  const child = fork(program, words, options);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let wanted = false;
  const lost = new Promise<never>((_, reject) => {
    void exited.then((code) => {
      if (!wanted) reject(new Error(`${[program, ...words].join(' ')} ended with ${code ?? 'a signal'}`));
    });
  });
  // The caller that awaits this process gets the error; nobody may be waiting yet.
  lost.catch(() => undefined);
  const stop = (): boolean => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  const send = (message: ToProcess): boolean => child.send(message);
  return {
    child,
    lost,
    begin: () => void send({ kind: 'begin' }),
    async report(kind) {
      const answered = answerOf(child, isFromProcess, kind);
      send({ kind: 'report' });
      return await Promise.race([answered, lost]);
    },
    async end() {
      wanted = true;
      signal.removeEventListener('abort', stop);
      if (child.exitCode === null && child.signalCode === null) stop();
      await exited;
    },
  };
}
