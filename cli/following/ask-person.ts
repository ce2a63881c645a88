import type { GateView } from '../../plan/people/gate';
import type { Terminal } from '../terminal';
import { askFields } from './ask-fields';

export interface PersonsAnswer {
  choice: string;
  comment: string;
}

/** Asks the person at the terminal for a decision. Undefined if the question was withdrawn, or if the input ended. */
export async function askPerson(
  { choices }: Pick<GateView, 'choices'>,
  terminal: Terminal,
  withdrawn: AbortSignal,
): Promise<PersonsAnswer | undefined> {
  const { colors } = terminal;
  return await askFields(terminal, withdrawn, async (ask) => {
    for (;;) {
      const choice = readChoice(await ask(`  ${choices.map((one) => optionOf(one, choices)).join(', ')}? `), choices);
      if (choice === undefined) {
        terminal.out(`  ${colors.dim(`one of: ${choices.join(', ')}`)}\n`);
        continue;
      }
      const comment = await ask(`  comment ${colors.dim('(Enter for none)')}: `);
      return { choice, comment: comment.trim() };
    }
  });
}

/** A whole choice or an unambiguous beginning of one; undefined if it is neither. */
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
