import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { ThermidorFailure } from '../../plan/failure';
import type { CommandRequest, CommandResult, PreparedCommand, ProcessRunner } from '../ports';
import { errorCode } from './error-code';
import { GO_FD, onLifeline } from './lifeline';
import { commandEnvironment } from './process-environment';

/** How long a group may take to end after SIGTERM before SIGKILL follows. */
const GRACE_MS = 1000;
/** How much of stderr is kept: its end, where the reason stands. */
const STDERR_BYTES = 16 * 1024;

/**
 * Runs a command in a process group of its own and waits for it. Success is exit code 0 and nothing else.
 *
 * Invariants: 1. when the promise settles, what is left of the group has been sent SIGTERM, and SIGKILL if that did not
 * help; where this process dies first, the group is killed at once; 2. the command sees the environment of process-environment.ts alone; 3. output over the limit ends the command.
 * Temporal retries none of its failures.
 */
export class GroupProcessRunner implements ProcessRunner {
  async run(request: CommandRequest, signal: AbortSignal): Promise<CommandResult> {
    signal.throwIfAborted();
    return await this.prepare(request).run(signal);
  }

  /** The process, waiting for its word to go. Login files are read, and the program is looked for, after that. */
  prepare(request: CommandRequest): PreparedCommand {
    let child: ChildProcessWithoutNullStreams;
    try {
      child = start(request);
    } catch (error) {
      return { run: () => Promise.reject(error), drop: () => undefined };
    }
    const exit = exitOf(child);
    // Whoever runs it learns of it; one that is dropped is nobody's concern.
    exit.catch(() => undefined);
    return { run: (signal) => attend(request, child, exit, signal), drop: () => endGroup(child) };
  }
}

async function attend(
  request: CommandRequest,
  child: ChildProcessWithoutNullStreams,
  exited: Promise<Exit>,
  signal: AbortSignal,
): Promise<CommandResult> {
  const reasons: unknown[] = [];
  const stop = (reason: unknown) => {
    if (reasons.push(reason) === 1) endGroup(child);
  };
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const { timeoutMs } = request;
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop(timedOut(timeoutMs)), Math.min(timeoutMs, 2 ** 31 - 1));
  try {
    const stdout = readAll(child, request.outputLimitBytes, stop);
    const stderr = readEnd(child);
    // A command that does not read its input closes it early; that is its right.
    child.stdin.on('error', () => undefined);
    child.stdin.end(request.stdin ?? '');
    if (signal.aborted) onAbort();
    else go(child);
    const exit = await exited;
    if (reasons.length > 0) throw reasons[0];
    if (exit.code !== 0) throw failed(exit, stderr(), stdout);
    return { stdout: stdout(), stderr: stderr() };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function go(child: ChildProcessWithoutNullStreams): void {
  const word = child.stdio[GO_FD];
  if (!word || !('write' in word)) return;
  // Where the process is gone already, its exit says so.
  word.on('error', () => undefined);
  word.end('\n');
}

function start({ command, cwd, env, inherit }: CommandRequest): ChildProcessWithoutNullStreams {
  const argv = 'shell' in command ? ['/bin/sh', '-lc', command.shell] : command.argv;
  if (!argv[0]) throw new ThermidorFailure('command.failed', 'the command is empty: argv needs a program as its first word');
  try {
    const [file, args] = onLifeline(argv);
    const options = { env: commandEnvironment(process.env, env, inherit), detached: true, ...(cwd === undefined ? {} : { cwd }) };
    return spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'] });
  } catch (error) {
    // Thrown, not emitted, where a word or the environment holds a NUL character.
    throw new ThermidorFailure(
      'command.failed',
      `the command cannot be started: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Resolves when the command has ended and its output is read, also where something it left behind keeps the pipes open. */
function exitOf(child: ChildProcessWithoutNullStreams): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(
        new ThermidorFailure(
          'command.failed',
          `the command cannot be started: ${error.message}; is the program installed and the folder there?`,
        ),
      );
    });
    child.once('exit', () => endGroup(child));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/** SIGTERM to the whole group, SIGKILL after the grace time; then the pipes are dropped, whoever still holds them. */
function endGroup(child: ChildProcessWithoutNullStreams): void {
  signalGroup(child, 'SIGTERM');
  const kill = setTimeout(() => {
    signalGroup(child, 'SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  }, GRACE_MS);
  child.once('close', () => clearTimeout(kill));
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: the group is gone, which is what was wanted. EPERM: only what may not be signalled is left of it.
    if (!['ESRCH', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
  }
}

function readAll(child: ChildProcessWithoutNullStreams, limitBytes: number, stop: (reason: unknown) => void): () => string {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.byteLength;
    if (sizeBytes <= limitBytes) chunks.push(chunk);
    else stop(new ThermidorFailure('output.too-large', `the command put out more than ${limitBytes} bytes`, { limitBytes }));
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function readEnd(child: ChildProcessWithoutNullStreams): () => string {
  let end = Buffer.alloc(0);
  child.stderr.on('data', (chunk: Buffer) => {
    end = Buffer.concat([end, chunk]).subarray(-STDERR_BYTES);
  });
  return () => end.toString('utf8');
}

/** A command that says nothing on stderr may have said on stdout why it failed. */
function failed(exit: Exit, stderr: string, stdout: () => string): ThermidorFailure {
  const how = exit.code === null ? `was ended by ${exit.signal ?? 'a signal'}` : `ended with exit code ${exit.code}`;
  const said = stderr.trim() === '' ? '' : `: ${stderr.trim().split('\n').slice(-3).join('\n')}`;
  return new ThermidorFailure('command.failed', `the command ${how}${said}`, {
    exitCode: exit.code,
    signal: exit.signal,
    stderr,
    ...(stderr.trim() === '' ? { stdout: stdout().slice(-STDERR_BYTES) } : {}),
  });
}

function timedOut(timeoutMs: number): ThermidorFailure {
  return new ThermidorFailure('command.timeout', `the command did not finish within ${timeoutMs} ms`, { timeoutMs });
}
