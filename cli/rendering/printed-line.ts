import type { PrintedLine } from '../logs/printed-lines';
import type { Colors } from '../terminal';
import { manyLines } from './printable';
import { clock } from './time';

/** One line that a program printed; with its time and step where it stands among those of others. Nothing in it moves the cursor. */
export function renderPrinted({ at, step, from, text }: PrintedLine, among: boolean, colors: Colors): string {
  const shown = manyLines(lastOverwritten(text));
  const before = among ? `${colors.dim(clock(at))}  ${step}  ` : '';
  if (from === 'note') return `${before}${colors.dim(`-- ${shown}`)}`;
  return `${before}${from === 'stderr' ? colors.yellow(shown) : shown}`;
}

/** A progress bar overwrites its line again and again: a terminal would show what came last. */
function lastOverwritten(text: string): string {
  return text.replace(/\r+$/, '').replace(/^.*\r/s, '');
}
