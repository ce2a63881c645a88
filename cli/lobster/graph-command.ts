import type { DiagnosticCode } from '../../compiler';
import { isJsonObject, type Json } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import { format as formatMistakes } from '../pipelines/pipelines';
import { relativePath } from '../relative-path';
import type { Terminal } from '../terminal';
import { readGraphArguments } from './arguments';
import { LobsterFailure } from './exit';
import { argsOfFile, graphOfFile } from './graph-model';
import { graphText, isGraphFormat } from './graph-text';
import { graphHelpText } from './help';
import { documentOfFile, errorsOf, readWorkflow, refusedFile } from './program';
import { workflowFile } from './run-target';

/** `lobster graph`: always in words, never in an envelope. */
export async function graph(argv: readonly string[], terminal: Terminal): Promise<void> {
  const { help: asksHelp, file, format, argsJson } = readGraphArguments(argv);
  if (asksHelp) {
    return terminal.out(graphHelpText());
  }
  if (!file) throw usage('graph requires a workflow file path (use --file <path>)');
  if (!isGraphFormat(format)) throw usage('graph --format must be one of: mermaid, dot, ascii');
  const args = argsJson ? graphArgs(argsJson) : {};
  let path: string;
  try {
    path = workflowFile(file, terminal.cwd);
  } catch (error) {
    // A missing file is a failure of `graph`, not a mistake in its words.
    throw error instanceof LobsterFailure ? new LobsterFailure('runtime_error', error.message) : error;
  }
  const shown = relativePath(path, terminal.cwd);
  const colors = terminal.colors.isColorSupported;
  const workflow = readWorkflow(path, shown);
  const mistakes = errorsOf(workflow.compiled.diagnostics);
  const refusal = mistakes.find((mistake) => mistake.file === shown && !MET_LATER.has(mistake.code));
  if (refusal) throw refusedFile(mistakes, colors, refusal.message);
  if (mistakes.length > 0) terminal.err(`${formatMistakes(mistakes, colors)}\n`);
  const document = documentOfFile(workflow);
  terminal.out(`${graphText(graphOfFile(document, argsOfFile(document, args)), format)}\n`);
}

/** Mistakes that Lobster finds only at run time do not keep a file from being drawn. */
const MET_LATER: ReadonlySet<DiagnosticCode> = new Set([
  'lobster.bad-condition',
  'lobster.unknown-step',
  'lobster.dynamic-child',
  'lobster.pipe-syntax',
  'lobster.unknown-stage',
  'lobster.bad-stage',
  'pipeline.missing-file',
  'pipeline.cycle',
  'pipeline.too-deep',
]);

function graphArgs(text: string): Record<string, Json> {
  const value = jsonIn(text);
  if (value === undefined) throw usage('graph --args-json must be valid JSON');
  if (!isJsonObject(value)) throw usage('graph --args-json must be a JSON object');
  return value;
}

function usage(message: string): LobsterFailure {
  return new LobsterFailure('parse_error', message, { prefix: '' });
}
