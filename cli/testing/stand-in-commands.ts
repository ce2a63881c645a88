import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import type { CommandRequest, CommandResult, HttpClient, HttpPost, ProcessRunner } from '../../activities/ports';
import { ANY_STEP, type StandIn } from '../../compiler/test-file/test-file';
import { replyFits } from '../../plan/agents/script';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import { type Address, shortAddress, stepIdOf } from '../../plan/steps/address';
import { unreachable } from '../../plan/unreachable';
import { isBenchWorktree } from './bench-worktrees';
import { type CallLog, type LoggedCall, loggedCallAt } from './call-log';
import type { PendingWork } from './pending-work';

/** One execution of a step that runs commands, or whose agents run programs, and its stand-ins. */
export interface CommandPlace {
  workflowId: string;
  address: Address;
  iterations: readonly number[];
  standIns: Readonly<Record<string, readonly StandIn[]>>;
}

/**
 * The outputs that a test gives for commands. Nothing of the machine is touched unless the test says `execute`. Requests of a pipe's stages
 * are answered from the same list: a stand-in's stdout is the answer's text.
 *
 * Fails as the real runner does, and with `script.no-reply` if the test gives no output.
 */
export class StandInCommands implements ProcessRunner, HttpClient {
  private readonly real = new GroupProcessRunner();

  constructor(
    private readonly place: CommandPlace,
    private readonly calls: CallLog,
    private readonly meter: PendingWork,
  ) {}

  async run(request: CommandRequest, signal: AbortSignal): Promise<CommandResult> {
    const standIn = this.next('command', textOf(request));
    const { timeoutMs } = request;
    const { does, afterMs = 0 } = standIn;
    const late = does.kind === 'hangs' ? timeoutMs !== undefined : timeoutMs !== undefined && afterMs > timeoutMs;
    if (late && timeoutMs !== undefined) {
      await this.meter.sleep(timeoutMs, signal);
      throw new ThermidorFailure('command.timeout', `the command did not finish within ${timeoutMs} ms`, { timeoutMs });
    }
    if (afterMs > 0) await this.meter.sleep(afterMs, signal);
    switch (does.kind) {
      case 'hangs':
        return await this.meter.forever(signal);
      case 'executes':
        if (isBenchWorktree(request.cwd)) throw this.missing('a command in a worktree cannot be executed in a test, which has none');
        return await this.real.run(request, signal);
      case 'ends':
        await request.onLines?.(does.stdout.replace(/\n$/, '').split('\n'), signal);
        return ended(request, does);
      default:
        return unreachable(does);
    }
  }

  async post({ url, body }: HttpPost, signal: AbortSignal): Promise<{ status: number; statusText: string; text: string }> {
    const { does, afterMs = 0 } = this.next('http', `POST ${url.href} ${body}`);
    if (afterMs > 0) await this.meter.sleep(afterMs, signal);
    if (does.kind === 'hangs') return await this.meter.forever(signal);
    if (does.kind === 'executes') throw this.missing('a request cannot be executed in a test');
    if (does.exitCode !== 0) throw new ThermidorFailure('stage.failed', does.stderr || 'the service did not answer');
    return { status: 200, statusText: 'OK', text: does.stdout };
  }

  private next(kind: LoggedCall['kind'], text: string): StandIn {
    const { address, workflowId, iterations, standIns } = this.place;
    const call = loggedCallAt(address, kind, workflowId, text);
    this.calls.push(call);
    const number = this.calls.filter((one) => one.kind !== 'agent' && sameExecution(one, call)).length;
    const id = stepIdOf(address);
    const list = Object.hasOwn(standIns, id) ? standIns[id] : standIns[ANY_STEP];
    const at = { round: address.round, try: address.try, ask: 1, iterations };
    const found = list?.find((standIn) => (standIn.call === undefined || standIn.call === number) && replyFits(standIn, at));
    if (found) return found;
    throw this.missing(`the test has no stand-in for ${kind === 'http' ? 'request' : 'command'} ${number}`);
  }

  private missing(what: string): ThermidorFailure {
    const id = stepIdOf(this.place.address);
    return new ThermidorFailure('script.no-reply', `${what} of step "${shortAddress(this.place.address)}"; add one under commands.${id}`, {
      step: id,
    });
  }
}

function sameExecution(a: LoggedCall, b: LoggedCall): boolean {
  return a.workflowId === b.workflowId && a.path === b.path && a.round === b.round && a.try === b.try;
}

/** The command with its values in place: a shell command of the strict dialect finds them in its environment. */
function textOf({ command, env }: CommandRequest): string {
  if (!('shell' in command)) return command.argv.join(' ');
  return command.shell.replace(/\$\{(THERMIDOR_VALUE_\d+)\}/g, (whole, name: string) => env[name] ?? whole);
}

/** A file that the command should write gets the stand-in's output. */
function ended({ anyExit, writes }: CommandRequest, does: Extract<StandIn['does'], { kind: 'ends' }>): CommandResult {
  const { exitCode, stdout, stderr } = does;
  if (exitCode !== 0 && !anyExit) throw failed(does);
  return { stdout, stderr, ...defined({ exitCode: exitCode || undefined, written: writes && stdout }) };
}

function failed({ exitCode, stderr }: { exitCode: number; stderr: string }): ThermidorFailure {
  const said = stderr.trim() === '' ? '' : `: ${stderr.trim().split('\n').slice(-3).join('\n')}`;
  return new ThermidorFailure('command.failed', `the command ended with exit code ${exitCode}${said}`, { exitCode, signal: null, stderr });
}
