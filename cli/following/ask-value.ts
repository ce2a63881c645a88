import { createInterface } from 'node:readline/promises';
import type { GateForm } from '../../plan/gate';
import type { Json } from '../../plan/json';
import { oneLine } from '../rendering/printable';
import { readResponse } from '../response';
import type { Terminal } from '../terminal';

/**
 * Asks the person at the terminal for the answer to an input gate, until it satisfies the gate's schema. Undefined where the
 * question was withdrawn, or where the input ended.
 */
export async function askValue(
  form: GateForm | undefined,
  terminal: Terminal,
  withdrawn: AbortSignal,
): Promise<{ response: Json } | undefined> {
  const { stdin, stdout, colors } = terminal;
  const lines = createInterface({ input: stdin, output: stdout, terminal: true });
  // In raw mode Ctrl-C is a character that readline keeps to itself.
  lines.on('SIGINT', () => process.emit('SIGINT'));
  const closed = new AbortController();
  lines.on('close', () => closed.abort());
  const signal = AbortSignal.any([withdrawn, closed.signal]);
  const offer = form?.defaults === undefined ? '' : ` ${colors.dim('(Enter for what is offered)')}`;
  try {
    for (;;) {
      const text = (await lines.question(`  JSON${offer}: `, { signal })).trim();
      if (text === '' && form?.defaults === undefined) continue;
      const read = text === '' ? { value: form?.defaults ?? null } : readResponse(text, form?.responseSchema);
      if ('value' in read) return { response: read.value };
      for (const problem of read.problems) terminal.out(`  ${colors.red(oneLine(problem))}\n`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    terminal.out('\n');
    return undefined;
  } finally {
    lines.close();
  }
}
