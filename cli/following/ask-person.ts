import { createInterface } from 'node:readline/promises';
import type { GateView } from '../../plan/gate';
import type { Terminal } from '../terminal';

export interface PersonsAnswer {
  choice: string;
  comment: string;
}

/**
 * Asks the person at the terminal what they decide. Undefined where the question was withdrawn (someone else decided, the
 * run ended, Ctrl-C), or where the input ended.
 */
export async function askPerson(
  gate: Pick<GateView, 'choices'>,
  terminal: Terminal,
  withdrawn: AbortSignal,
): Promise<PersonsAnswer | undefined> {
  const { stdin, stdout, colors } = terminal;
  const lines = createInterface({ input: stdin, output: stdout, terminal: true });
  // In raw mode Ctrl-C is a character that readline keeps to itself.
  lines.on('SIGINT', () => process.emit('SIGINT'));
  const closed = new AbortController();
  lines.on('close', () => closed.abort());
  const signal = AbortSignal.any([withdrawn, closed.signal]);
  try {
    for (;;) {
      const text = await lines.question(`  ${gate.choices.map((choice) => optionOf(choice, gate.choices)).join(', ')}? `, { signal });
      const choice = readChoice(text, gate.choices);
      if (choice === undefined) {
        terminal.out(`  ${colors.dim(`one of: ${gate.choices.join(', ')}`)}\n`);
        continue;
      }
      const comment = await lines.question(`  comment ${colors.dim('(Enter for none)')}: `, { signal });
      return { choice, comment: comment.trim() };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    terminal.out('\n');
    return undefined;
  } finally {
    lines.close();
  }
}

/** A whole choice or an unambiguous beginning of one; undefined where it is neither. */
export function readChoice(text: string, choices: readonly string[]): string | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return undefined;
  const exact = choices.find((choice) => choice.toLowerCase() === wanted);
  if (exact !== undefined) return exact;
  const [only, second] = choices.filter((choice) => choice.toLowerCase().startsWith(wanted));
  return second === undefined ? only : undefined;
}

/** `[a]pprove`: the letters that are enough. */
function optionOf(choice: string, choices: readonly string[]): string {
  let length = 1;
  while (length < choice.length && choices.some((other) => other !== choice && other.startsWith(choice.slice(0, length)))) length++;
  return `[${choice.slice(0, length)}]${choice.slice(length)}`;
}
