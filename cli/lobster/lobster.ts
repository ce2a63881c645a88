import { relative } from 'node:path';
import { isJsonObject, type Json } from '../../plan/json';
import { Options } from '../command';
import type { Configuration } from '../configuration';
import { configurationOf } from '../settings';
import type { Terminal } from '../terminal';
import { argsOf, readGraphArguments, readResumeArguments, readRunArguments } from './arguments';
import type { Ended } from './conversation';
import { done, type ErrorType, errorEnvelope, okEnvelope, PROTOCOL_VERSION, printed } from './envelope';
import { LOBSTER_EXIT, LobsterFailure } from './exit';
import { compileFile, compileProgram, type Runnable, renders } from './program';
import { targetOf, workflowFile } from './target';

/**
 * Lobster's own command line (`notes/lobster-format.md`), run durably: the words, the streams and the exit codes are Lobster's, so
 * that a program that calls `lobster` may call this instead.
 *
 * Invariants: 1. in tool mode standard output is one JSON document, whatever happens; 2. nothing is started before everything that
 * can be wrong with a call has been found; 3. standard error is empty where Lobster's is, but for what says where a mistake is.
 */
export async function runLobster(argv: readonly string[], terminal: Terminal, version: string): Promise<number> {
  const [command, ...rest] = argv;
  if (command === 'graph') return human(terminal, () => graph(rest, terminal));
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
        const { resume } = require('./resume') as typeof import('./resume');
        await resume({ asked, configuration: configurationFor(terminal), terminal }, deliver);
      });
    case 'run':
      return run(rest, terminal);
    default:
      return run(argv, terminal);
  }
}

type Deliver = (ended: Ended) => void;

async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const read = readRunArguments(argv);
  const { mode } = read;
  const work = async (deliver: Deliver, write: (runnable: Runnable) => void): Promise<void> => {
    const target = targetOf(read, terminal.cwd);
    const args = target.kind === 'file' && read.argsJson ? parseArgs(read.argsJson) : {};
    const colors = terminal.colors.isColorSupported;
    const runnable =
      target.kind === 'file'
        ? compileFile(target.path, shownPath(target.path, terminal.cwd), colors)
        : compileProgram(target.text, target.dryRun ? 'human' : mode, colors);
    if (target.dryRun) {
      const { dryRunText } = require('./dry-run') as typeof import('./dry-run');
      terminal.err(dryRunText(runnable, args));
      return deliver(done([]));
    }
    write(runnable);
    const { startRunAndFollow } = require('./start') as typeof import('./start');
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

/** What a person gets to see: what renderers wrote, else the items, where there are any. */
function humanText(ended: Ended, runnable: Runnable | undefined): string {
  const { status, output, requiresApproval, requiresInput, text } = ended;
  const asked = requiresApproval ?? requiresInput;
  // A program that halts puts out the request as its one item.
  if (asked) return printed(runnable?.kind === 'pipeline-resume' ? [asked] : { status, output, requiresApproval, requiresInput });
  if (status !== 'ok' || runnable === undefined) return '';
  if (runnable.kind === 'workflow-file') return output.length > 0 ? printed(output) : '';
  return renders(runnable.compiled.plan) ? withLineEnd(text ?? '') : printed(output);
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

async function graph(argv: readonly string[], terminal: Terminal): Promise<void> {
  const { help: asksHelp, file, format, argsJson } = readGraphArguments(argv);
  if (asksHelp) {
    const { graphHelpText } = require('./help') as typeof import('./help');
    return terminal.out(graphHelpText());
  }
  const { graphText, isGraphFormat } = require('./graph-text') as typeof import('./graph-text');
  if (!file) throw usage('graph requires a workflow file path (use --file <path>)');
  if (!isGraphFormat(format)) throw usage('graph --format must be one of: mermaid, dot, ascii');
  const args = argsJson ? graphArgs(argsJson) : {};
  let path: string;
  try {
    path = workflowFile(file, terminal.cwd);
  } catch (error) {
    // A file that is not there is a failure of `graph`, not a mistake in its words.
    throw error instanceof LobsterFailure ? new LobsterFailure('runtime_error', error.message) : error;
  }
  const runnable = compileFile(path, shownPath(path, terminal.cwd), terminal.colors.isColorSupported);
  const { checkArgs } = require('../../plan/args') as typeof import('../../plan/args');
  const { graphOf } = require('./graph-model') as typeof import('./graph-model');
  const { documentOf } = require('./program') as typeof import('./program');
  const { plan } = runnable.compiled;
  terminal.out(`${graphText(graphOf(documentOf(runnable), checkArgs(plan.args, args, plan.dialect).args), format)}\n`);
}

function graphArgs(text: string): Record<string, Json> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usage('graph --args-json must be valid JSON');
  }
  if (!isJsonObject(value)) throw usage('graph --args-json must be a JSON object');
  return value;
}

/** Runs a pipe of one stage as any other run: what answers is what would work. */
async function doctor(notes: readonly string[], terminal: Terminal, version: string): Promise<number> {
  const { startRunAndFollow } = require('./start') as typeof import('./start');
  const runnable = compileProgram("exec --json --shell 'echo [1]'", 'tool', false);
  const report: Json = { toolMode: true, protocolVersion: PROTOCOL_VERSION, version, ...(notes.length === 0 ? {} : { notes: [...notes] }) };
  const configuration = configurationFor(terminal);
  const work = (deliver: Deliver): Promise<void> =>
    startRunAndFollow({ runnable, args: {}, mode: 'tool', configuration, terminal }, () => deliver(done([report])));
  return tool(terminal, work, 'doctor_error');
}

function help(topic: string | undefined, terminal: Terminal): number {
  const { helpText, stageHelp } = require('./help') as typeof import('./help');
  const text = topic === undefined ? helpText() : stageHelp(topic);
  if (text === undefined) {
    terminal.err(`Unknown command: ${topic}\n`);
    return LOBSTER_EXIT.parse;
  }
  terminal.out(text);
  return LOBSTER_EXIT.ok;
}

/** One document on standard output: what the work delivers, or why it failed. */
async function tool(terminal: Terminal, work: (deliver: Deliver) => Promise<void>, type?: ErrorType): Promise<number> {
  return attempt(
    (answered) =>
      work((ended) => {
        terminal.out(printed(okEnvelope(ended)));
        answered();
      }),
    (failure) => {
      if (failure.more.located !== undefined) terminal.err(failure.more.located);
      terminal.out(printed(errorEnvelope(type ?? failure.type, failure.message)));
    },
  );
}

function human(terminal: Terminal, work: (answered: () => void) => Promise<void>): Promise<number> {
  return attempt(work, ({ line, more: { located } }) => terminal.err(located === undefined ? line : `${line}\n${located}`));
}

/** What goes wrong while server and worker are put away is not the caller's concern: it has its answer. */
async function attempt(work: (answered: () => void) => Promise<void>, fail: (failure: LobsterFailure) => void): Promise<number> {
  let isAnswered = false;
  try {
    await work(() => {
      isAnswered = true;
    });
  } catch (error) {
    if (!isAnswered) {
      const failure = asFailure(error);
      fail(failure);
      return failure.exit;
    }
  }
  return LOBSTER_EXIT.ok;
}

/** Whatever fails below Lobster's own rules (a server that does not start, a store that is full) is a failure of the run. */
function asFailure(error: unknown): LobsterFailure {
  return error instanceof LobsterFailure ? error : new LobsterFailure('runtime_error', messageOf(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parseArgs(text: string): Record<string, Json> {
  try {
    return argsOf(JSON.parse(text) as Json);
  } catch {
    throw new LobsterFailure('parse_error', 'run --args-json must be valid JSON', { prefix: '' });
  }
}

function usage(message: string): LobsterFailure {
  return new LobsterFailure('parse_error', message, { prefix: '' });
}

function shownPath(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near.startsWith('..') ? path : near.replaceAll('\\', '/');
}

function configurationFor(terminal: Terminal): Configuration {
  return configurationOf({ options: new Options({}), terminal });
}
