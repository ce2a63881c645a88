import type { GateForm } from '../../plan/people/gate';
import { numberAt, type Spelled } from '../../plan/text/spelled-json';
import { oneLine } from '../rendering/text/printable';
import { readResponse } from '../response';
import type { Terminal } from '../terminal';
import { askFields } from './ask-fields';

/**
 * Asks the person at the terminal for the answer to an input gate, until it satisfies the gate's schema. Undefined if the question was
 * withdrawn, or if the input ended.
 */
export async function askValue(
  form: GateForm | undefined,
  terminal: Terminal,
  withdrawn: AbortSignal,
): Promise<{ response: Spelled } | undefined> {
  const { colors } = terminal;
  const offer = form?.defaults === undefined ? '' : ` ${colors.dim('(Enter for the default)')}`;
  return await askFields(terminal, withdrawn, async (ask) => {
    for (;;) {
      const text = (await ask(`  JSON${offer}: `)).trim();
      if (text === '' && form?.defaults === undefined) continue;
      const read =
        text === '' ? { value: (form && numberAt(form, 'defaults')) ?? form?.defaults ?? null } : readResponse(text, form?.responseSchema);
      if ('value' in read) return { response: read.value };
      for (const problem of read.problems) terminal.out(`  ${colors.red(oneLine(problem))}\n`);
    }
  });
}
