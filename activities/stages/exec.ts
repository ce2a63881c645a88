import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import { field, type Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { hasManyLongKeys, parseUntrustedJson } from '../../plan/text/untrusted-json';
import type { CommandRequest } from '../ports';
import { asLine, type Item } from './items/item';
import { flagText, hasFlag, type StageCall } from './stage-call';
import { stageFailed } from './stage-failure';
import type { StagePorts } from './stage-ports';

/**
 * `exec CMD…`, or `exec --shell "LINE"` (as does one word with a space in it): runs a command. Its lines are the items, or, with `--json`,
 * the JSON it prints, a list's entries each. `--stdin raw|json|jsonl` gives it the incoming items.
 *
 * Fails with `command.failed`, `command.timeout`, `output.too-large`; with `stage.failed` if the stage itself is wrong.
 */
export async function exec(call: StageCall, items: readonly Item[], ports: StagePorts): Promise<Item[]> {
  const request: CommandRequest = {
    command: commandOf(call, ports.environment),
    ...ports.commandEnvironment,
    outputLimitBytes: outputLimit(call, ports),
    ...defined({ cwd: ports.cwd }),
  };
  const mode = flagText(call, 'stdin');
  if (mode !== undefined && mode !== '') request.stdin = encoded(call, items, mode.toLowerCase());
  const stdout = await run(call, request, ports);
  if (!hasFlag(call, 'json')) return stdout.split(/\r?\n/).filter((line) => line !== '');
  const parsed = parse(call, stdout, ports);
  return Array.isArray(parsed) ? parsed : [parsed];
}

function commandOf(call: StageCall, environment: Readonly<Record<string, string>>): CommandRequest['command'] {
  const line = flagText(call, 'shell') ?? (call.words.length === 1 && /\s/.test(call.words[0] ?? '') ? call.words[0] : undefined);
  if (line) {
    const shell = environment['LOBSTER_SHELL']?.trim();
    return shell ? { argv: [shell, '-lc', line] } : { shell: line };
  }
  if (call.words.length === 0) throw stageFailed(call, 'exec requires a command');
  // A bare `--shell` before the words has the shell run the first of them.
  return call.flags.get('shell') === true ? { shell: call.words[0] ?? '' } : { argv: call.words };
}

function outputLimit(call: StageCall, { environment, limitBytes }: StagePorts): number {
  const written = environment['LOBSTER_MAX_OUTPUT_BYTES']?.trim();
  if (!written) return limitBytes;
  const limit = Number(written);
  if (!Number.isSafeInteger(limit) || limit <= 0) throw stageFailed(call, 'LOBSTER_MAX_OUTPUT_BYTES must be a positive whole number');
  return Math.min(limit, limitBytes);
}

function encoded(call: StageCall, items: readonly Item[], mode: string): string {
  switch (mode) {
    case 'json':
      return jsonText(items);
    case 'jsonl':
      return items.map((item) => `${JSON.stringify(item)}\n`).join('');
    case 'raw':
      return items.map(asLine).join('\n');
    default:
      throw stageFailed(call, `exec --stdin must be raw, json, or jsonl (got ${mode})`);
  }
}

/** The failure's message is Lobster's, because programs read it. */
async function run(call: StageCall, request: CommandRequest, ports: StagePorts): Promise<string> {
  try {
    return (await ports.processes.run(request, ports.signal)).stdout;
  } catch (error) {
    if (!(error instanceof ThermidorFailure) || error.code !== 'command.failed') throw error;
    throw new ThermidorFailure('command.failed', failureText(call, request, error), error.details);
  }
}

function failureText(call: StageCall, { command }: CommandRequest, { details, message }: ThermidorFailure): string {
  const exitCode = field(details, 'exitCode');
  const stderr = field(details, 'stderr');
  const said = typeof stderr === 'string' ? stderr.trim() : '';
  const program = 'shell' in command ? command.shell : (command.argv[0] ?? '');
  if ('argv' in command && exitCode === 127 && said.endsWith(`${program}: not found`))
    return `${call.calledAs} command not found: ${program}`;
  if (exitCode === undefined || exitCode === null) return `${call.calledAs}: ${message}`;
  return `${call.calledAs} failed (${asLine(exitCode)}): ${said || program}`;
}

function parse(call: StageCall, stdout: string, { mask = (text) => text }: StagePorts): Json {
  const text = stdout.trim() || 'null';
  const value = parseUntrustedJson(text);
  if (value === undefined) throw stageFailed(call, `exec --json could not parse stdout as JSON: ${whyNot(mask(text))}`);
  return value;
}

/** Reads a masked text: the error quotes a few characters, which may be half a secret. */
function whyNot(text: string): string {
  try {
    if (!hasManyLongKeys(text)) JSON.parse(text);
    return 'it is nested too deeply, or its keys are too long';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
