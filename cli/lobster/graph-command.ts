import { checkArgs } from '../../plan/args';
import { isJsonObject, type Json } from '../../plan/json';
import type { Terminal } from '../terminal';
import { readGraphArguments } from './arguments';
import { LobsterFailure } from './exit';
import { graphOf } from './graph-model';
import { graphText, isGraphFormat } from './graph-text';
import { graphHelpText } from './help';
import { compileFile, documentOf } from './program';
import { shownPath, workflowFile } from './target';

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
    // A file that is not there is a failure of `graph`, not a mistake in its words.
    throw error instanceof LobsterFailure ? new LobsterFailure('runtime_error', error.message) : error;
  }
  const runnable = compileFile(path, shownPath(path, terminal.cwd), terminal.colors.isColorSupported);
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

function usage(message: string): LobsterFailure {
  return new LobsterFailure('parse_error', message, { prefix: '' });
}
