import type { CompletedArgument } from './completed-argument';
import type { Shell } from './shell-scripts';
import type { TypedLine } from './typed-line';

/** A name that completes what is typed, and what is said of it where a shell shows that. */
export interface Candidate {
  text: string;
  about?: string;
}

/** More than this helps nobody to choose. */
const SHOWN = 200;

/** The candidates that continue from what is typed, a line each, as the shell's script takes them. Each once, in the order given. */
export function formatCandidates(shell: Shell, candidates: readonly Candidate[], slot: CompletedArgument, line: TypedLine): string[] {
  const fitting = candidates.filter(({ text }) => text.startsWith(slot.typed) && !/[\p{Cc}]/u.test(text));
  const once = [...new Map(fitting.map((candidate) => [candidate.text, candidate])).values()].slice(0, SHOWN);
  return once.map(({ text, about }) => {
    const word = slot.prefix + text;
    if (shell === 'fish') return about === undefined ? word : `${word}\t${about.replace(/[\p{Cc}]/gu, ' ')}`;
    // zsh quotes what it inserts; within quotes nothing has to be.
    return shell === 'zsh' || line.quote !== ''
      ? word.slice(line.before)
      : word.slice(line.before).replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, '\\$&');
  });
}
