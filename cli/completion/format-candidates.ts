import type { CompletedArgument } from './completed-argument';
import type { Shell } from './shell-scripts';
import type { TypedLine } from './typed-line';

/** A name that completes what is typed, and its description for shells that show one. */
export interface Candidate {
  text: string;
  about?: string;
}

/** The most candidates shown: more would not help to choose. */
const SHOWN = 200;

/** The candidates that continue what is typed, one a line, as the shell's script expects them. Each once, in the order given. */
export function formatCandidates(shell: Shell, candidates: readonly Candidate[], slot: CompletedArgument, line: TypedLine): string[] {
  const fitting = candidates.filter(({ text }) => text.startsWith(slot.typed) && !/[\p{Cc}]/u.test(text));
  const once = [...new Map(fitting.map((candidate) => [candidate.text, candidate])).values()].slice(0, SHOWN);
  return once.map(({ text, about }) => {
    const word = slot.prefix + text;
    if (shell === 'fish') return about === undefined ? word : `${word}\t${about.replace(/[\p{Cc}]/gu, ' ')}`;
    // zsh quotes what it inserts; text within quotes needs no quoting.
    return shell === 'zsh' || line.quote !== ''
      ? word.slice(line.before)
      : word.slice(line.before).replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, '\\$&');
  });
}
