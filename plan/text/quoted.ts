import { linesOf } from './lines';

/** What an agent says: no heading in it passes for one of the engine's, such as what a person says. */
export function quoted(text: string): string {
  const said = text.trim();
  if (said === '') return '';
  return linesOf(said)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** What an agent says in a line of ours: nothing in it begins another line. */
export function inOneLine(text: string): string {
  return text.replace(/[\s\u0085]+/g, ' ');
}
