import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import { isJsonObject } from '../../../plan/text/json';
import type { Mask } from '../../../plan/text/masker';
import type { CommandRequest, CommandResult, PreparedCommand, ProcessRunner } from '../../ports';
import { headTailBuffer } from '../head-tail-buffer';
import { attendGroup, exitOf, readAll } from './attend-group';
import { newOrphanMark, type OrphanMark } from './orphans';
import { passLines } from './pass-lines';
import { commandEnvironment } from './process-environment';
import { type Exit, endGroup, forwardOutput, type GroupLeader, readEnd, STDERR_BYTES, startGroup } from './process-group';
import { textOf } from './text-of';
import { fileToWrite } from './written-file';

/**
 * Runs a command in a process group of its own and waits for it. Only exit code 0 is success.
 *
 * Invariants: 1. when the promise settles, the rest of the group has been sent SIGTERM, and SIGKILL if that did not help. A command that is
 * ended, because it is late, cancelled, or prints too much, ends with everything it has started in sessions of their own; processes left
 * there by a command that ended by itself stay. If this process dies first, all of it is killed at once; 2. the command sees only the
 * environment of process-environment.ts; 3. output over the limit ends the command. Temporal retries none of its failures.
 */
export class GroupProcessRunner implements ProcessRunner {
  async run(request: CommandRequest, signal: AbortSignal): Promise<CommandResult> {
    signal.throwIfAborted();
    return await this.prepare(request).run(signal);
  }

  /** The process, waiting for its word to go. Login files are read, and the program is looked for, after that. */
  prepare(request: CommandRequest): PreparedCommand {
    const mark = newOrphanMark();
    let child: GroupLeader;
    try {
      child = start(request, mark);
    } catch (error) {
      return { run: () => Promise.reject(error), drop: () => undefined };
    }
    const exit = exitOf(child, cannotStart);
    // The caller that awaits it gets the error; a dropped one concerns nobody.
    exit.catch(() => undefined);
    return { run: (signal) => attend(request, { child, mark }, exit, signal), drop: () => endGroup(child) };
  }
}

interface Started {
  child: GroupLeader;
  mark: OrphanMark;
}

async function attend(
  request: CommandRequest,
  { child, mark }: Started,
  exited: Promise<Exit>,
  signal: AbortSignal,
): Promise<CommandResult> {
  const { outputLimitBytes, cut, timeoutMs, writes, cwd, mask } = request;
  const file = writes === undefined ? undefined : await fileToWrite({ path: writes, limitBytes: outputLimitBytes, ...defined({ cwd }) });
  if (request.onOutput) forwardOutput(child, request.onOutput);
  const lines = request.onLines && passLines(child, request.onLines, (reason) => attended.stop(reason));
  const stdout = cut ? headTailBuffer(child.stdout, outputLimitBytes, mask) : allText(child, request, (reason) => attended.stop(reason));
  const stderr = cut ? headTailBuffer(child.stderr, outputLimitBytes, mask) : readEnd(child, mask);
  const attendance = {
    input: request.stdin ?? '',
    mark,
    timedOut: (ms: number) => timedOut(ms, child),
    ...defined({ timeoutMs, rest: lines?.passed }),
  };
  const attended = attendGroup(child, exited, attendance, signal);
  const exit = await attended.exit.catch((reason: unknown) => {
    lines?.end(reason);
    throw cut && isLate(reason) ? withOutput(reason, stdout(), stderr()) : reason;
  });
  const accepted = exit.code === 0 || (request.anyExit && exit.code !== null);
  if (!accepted) throw cut ? withOutput(failed(exit, '', stdout(), mask), stdout(), stderr()) : failed(exit, stderr(), stdout(), mask);
  const written = await file?.read(request.onOutput);
  return { stdout: stdout(), stderr: stderr(), ...defined({ exitCode: exit.code || undefined, written }) };
}

function start({ command, cwd, env, inherit }: CommandRequest, { entry }: OrphanMark): GroupLeader {
  const argv = 'shell' in command ? ['/bin/sh', '-lc', command.shell] : command.argv;
  if (!argv[0]) throw new ThermidorFailure('command.failed', 'the command is empty: argv needs a program as its first word');
  try {
    // The step defines the environment: only its limit marks it.
    const mark = { entry, variables: {} };
    return startGroup({ argv, env: commandEnvironment(process.env, env, inherit), mark, ...defined({ cwd }) });
  } catch (error) {
    // Thrown, not emitted, if a word or the environment contains a NUL character.
    throw new ThermidorFailure(
      'command.failed',
      `the command cannot be started: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function cannotStart(error: Error): ThermidorFailure {
  if ('code' in error && error.code === 'E2BIG') {
    const hint = 'give long values to the command as its `stdin`, or let a step write them into a file';
    return new ThermidorFailure('command.failed', `the command cannot be started: its words and variables are too long together; ${hint}`);
  }
  return new ThermidorFailure(
    'command.failed',
    `the command cannot be started: ${error.message}; check that the program is installed and the folder exists`,
  );
}

function allText(
  child: GroupLeader,
  { outputLimitBytes: limitBytes, onOutput }: CommandRequest,
  stop: (reason: unknown) => void,
): () => string {
  const bytes = readAll(child, limitBytes, () => {
    stop(new ThermidorFailure('output.too-large', `the command produced more than ${limitBytes} bytes`, { limitBytes }));
  });
  return () => textOf('stdout', bytes(), onOutput);
}

/** Test runners print failures on stdout, and warnings on stderr. */
function failed(exit: Exit, stderr: string, stdout: string, mask: Mask = (text) => text): ThermidorFailure {
  const how = exit.code === null ? `was ended by ${exit.signal ?? 'a signal'}` : `ended with exit code ${exit.code}`;
  const said = stderr.trim() === '' ? '' : `: ${stderr.trim().split('\n').slice(-3).join('\n')}`;
  return new ThermidorFailure('command.failed', `the command ${how}${said}`, {
    exitCode: exit.code,
    signal: exit.signal,
    stderr,
    stdout: mask(stdout).slice(-STDERR_BYTES),
  });
}

function isLate(reason: unknown): reason is ThermidorFailure {
  return reason instanceof ThermidorFailure && reason.code === 'command.timeout';
}

/** For callers that need the partial output. */
function withOutput({ code, message, details }: ThermidorFailure, stdout: string, stderr: string): ThermidorFailure {
  return new ThermidorFailure(code, message, { ...(isJsonObject(details) ? details : {}), stdout, stderr });
}

function timedOut(timeoutMs: number, { exitCode, signalCode }: GroupLeader): ThermidorFailure {
  const hasEnded = exitCode !== null || signalCode !== null;
  const what = hasEnded ? 'the command has ended, but the items that it printed were not taken up' : 'the command did not finish';
  return new ThermidorFailure('command.timeout', `${what} within ${timeoutMs} ms`, { timeoutMs });
}
