import type { CompletedArgument } from './completed-argument';
import type { Shell } from './shell-scripts';
import type { TypedLine } from './typed-line';

/** A name that completes what is typed, and its description for shells that show one. */
export interface Completion {
  text: string;
  about?: string;
}

/** The most completions shown: more would not help to choose. */
const SHOWN = 200;

/** The completions that continue what is typed, one a line, as the shell's script expects them. Each once, in the order given. */
export function formatCompletions(shell: Shell, completions: readonly Completion[], slot: CompletedArgument, line: TypedLine): string[] {
  const fitting = completions.filter(({ text }) => text.startsWith(slot.typed) && !/[\p{Cc}]/u.test(text));
  const once = [...new Map(fitting.map((completion) => [completion.text, completion])).values()].slice(0, SHOWN);
  return once.map(({ text, about }) => {
    const word = slot.prefix + text;
    if (shell === 'fish') return about === undefined ? word : `${word}\t${about.replace(/[\p{Cc}]/gu, ' ')}`;
    // zsh quotes what it inserts; text within quotes needs no quoting.
    return shell === 'zsh' || line.quote !== ''
      ? word.slice(line.before)
      : word.slice(line.before).replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, '\\$&');
  });
}
