import { defined, unlessEmpty } from '../../plan/defined';
import type { Json } from '../../plan/text/json';
import { parseJson } from '../../plan/text/json-text';
import { Options } from '../command';
import { relativePath } from '../relative-path';
import type { Configuration } from '../settings/configuration';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';
import { type Deliver, human, tool } from './answer-order';
import { parseLobsterArgs, readResumeArguments, readRunArguments } from './arguments';
import type { EndedRun } from './conversation';
import { dryRunFile, dryRunProgram } from './dry-run';
import { done, PROTOCOL_VERSION, printed } from './envelope';
import { LOBSTER_EXIT, LobsterFailure } from './exit';
import { graph } from './graph-command';
import { helpText, stageHelp } from './help';
import { compileFile, compileProgram, type Runnable, renders } from './program';
import { resume } from './resume';
import { runTargetOf } from './run-target';
import { startRunAndFollow } from './start';

/**
 * Lobster's own command line, run durably: the words, the streams and the exit codes are Lobster's, so that a program that calls `lobster`
 * may call this instead.
 *
 * Invariants: 1. in tool mode standard output is one JSON document, whatever happens; 2. nothing is started before all mistakes of a call
 * have been found; 3. standard error is empty whenever Lobster's is, except for the place of a mistake.
 */
export async function runLobster(argv: readonly string[], terminal: Terminal, version: string): Promise<number> {
  const [command, ...rest] = argv;
  if (command === 'graph') {
    return human(terminal, () => graph(rest, terminal));
  }
  if (command === undefined || argv.includes('-h') || argv.includes('--help')) return help(undefined, terminal);
  switch (command) {
    case 'help':
      return help(rest[0], terminal);
    case 'version':
    case '--version':
    case '-v':
      terminal.out(`${version}\n`);
      return LOBSTER_EXIT.ok;
    case 'doctor':
      return doctor(rest, terminal, version);
    case 'resume':
      return tool(terminal, async (deliver) => {
        const asked = readResumeArguments(rest);
        await resume({ asked, configuration: configurationFor(terminal), terminal }, deliver);
      });
    case 'run':
      return run(rest, terminal);
    default:
      return run(argv, terminal);
  }
}

async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const read = readRunArguments(argv);
  const { mode } = read;
  const work = async (deliver: Deliver, write: (runnable: Runnable) => void): Promise<void> => {
    const target = runTargetOf(read, terminal.cwd);
    const args = target.kind === 'file' && read.argsJson ? parseArgs(read.argsJson) : {};
    const colors = terminal.colors.isColorSupported;
    if (target.dryRun) {
      const text =
        target.kind === 'file'
          ? dryRunFile(target.path, relativePath(target.path, terminal.cwd), args, colors)
          : dryRunProgram(target.text, colors);
      terminal.err(text);
      return deliver(done([]));
    }
    const runnable =
      target.kind === 'file'
        ? compileFile(target.path, relativePath(target.path, terminal.cwd), colors)
        : compileProgram(target.text, mode, colors);
    write(runnable);
    await startRunAndFollow({ runnable, args, mode, configuration: configurationFor(terminal), terminal }, deliver);
  };
  if (mode === 'tool') return tool(terminal, (deliver) => work(deliver, () => {}));
  return human(terminal, async (answered) => {
    let runnable: Runnable | undefined;
    await work(
      (ended) => {
        terminal.out(humanText(ended, runnable));
        answered();
      },
      (found) => {
        runnable = found;
      },
    );
  });
}

/** What a person sees: the output of renderers, else the items, if there are any. */
function humanText(ended: EndedRun, runnable: Runnable | undefined): string {
  const { status, output, requiresApproval, requiresInput, text } = ended;
  const asked = requiresApproval ?? requiresInput;
  // A program that halts outputs the request as its one item.
  if (asked) return printed(runnable?.kind === 'pipeline-resume' ? [asked] : { status, output, requiresApproval, requiresInput });
  if (status !== 'ok' || runnable === undefined) return '';
  if (runnable.kind === 'workflow-file') return output.length > 0 ? printed(output) : '';
  return renders(runnable.compiled.plan) ? withLineEnd(text ?? '') : printed(output);
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Runs a pipe of one stage as any other run: if it answers, others would work. */
async function doctor(notes: readonly string[], terminal: Terminal, version: string): Promise<number> {
  const runnable = compileProgram("exec --json --shell 'echo [1]'", 'tool', false);
  const report: Json = { toolMode: true, protocolVersion: PROTOCOL_VERSION, version, ...defined({ notes: unlessEmpty([...notes]) }) };
  const configuration = configurationFor(terminal);
  const work = (deliver: Deliver): Promise<void> =>
    startRunAndFollow({ runnable, args: {}, mode: 'tool', configuration, terminal }, () => deliver(done([report])));
  return tool(terminal, work, 'doctor_error');
}

function help(topic: string | undefined, terminal: Terminal): number {
  const text = topic === undefined ? helpText() : stageHelp(topic);
  if (text === undefined) {
    terminal.err(`Unknown command: ${topic}\n`);
    return LOBSTER_EXIT.parse;
  }
  terminal.out(text);
  return LOBSTER_EXIT.ok;
}

function parseArgs(text: string): Record<string, Json> {
  try {
    return parseLobsterArgs(parseJson(text));
  } catch {
    throw new LobsterFailure('parse_error', 'run --args-json must be valid JSON', { prefix: '' });
  }
}

function configurationFor(terminal: Terminal): Configuration {
  return configurationOf({ options: new Options({}), terminal });
}
