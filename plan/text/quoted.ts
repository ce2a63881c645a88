import { linesOf } from './lines';

/** What an agent says: no heading in it passes for one of the engine's, such as what a person says. */
export function quoted(text: string): string {
  return linesOf(text.trim())
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
