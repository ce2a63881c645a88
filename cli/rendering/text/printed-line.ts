import { shellWord } from '../../../plan/text/shell-word';
import type { PrintedLine } from '../../../records/logs/printed-lines';
import type { KeptLog, LastWords } from '../../logs/logs-of-view';
import type { Colors } from '../../terminal';
import { manyLines } from './printable';
import { clock } from './time';

/**
 * One line that a program printed; among other steps' lines, with its time and step, for a board also with the member and its task. Nothing
 * in it moves the cursor.
 */
export function renderPrinted({ at, step, from, text, member, task }: PrintedLine, among: boolean, colors: Colors): string {
  const shown = manyLines(lastOverwritten(text));
  const who = member === undefined ? '' : ` (${member}${task === undefined ? '' : `, #${task}`})`;
  const before = among ? `${colors.dim(clock(at))}  ${step}${who}  ` : '';
  if (from === 'note') return `${before}${colors.dim(`-- ${shown}`)}`;
  return `${before}${from === 'stderr' ? colors.yellow(shown) : shown}`;
}

/** The last output of a failed step, and the command that shows all of it. */
export function renderLastWords(run: string, { step, lines, total }: LastWords, colors: Colors): string {
  const which =
    lines.length < total ? `the last ${lines.length} of ${total} lines` : lines.length === 1 ? '1 line' : `${lines.length} lines`;
  const shown = lines.map((line) => `  ${manyLines(lastOverwritten(line))}\n`).join('');
  return `${colors.bold(step)} printed ${which}:\n${shown}${colors.dim(`  all: thermidor logs ${shellWord(run)} ${shellWord(step)}`)}\n`;
}

export function renderLogPaths(logs: readonly KeptLog[], colors: Colors): string {
  return logs.map(({ step, path }) => `${colors.dim(`log of ${step}:`)} ${path}\n`).join('');
}

/** A progress bar overwrites its line again and again: only the last version is kept, as a terminal would show. */
function lastOverwritten(text: string): string {
  return text.replace(/\r+$/, '').replace(/^.*\r/s, '');
}
