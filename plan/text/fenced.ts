import { linesOf } from './lines';

/** A text in a fence longer than any within it, so that it cannot end it. */
export function fencedText(text: string, language = ''): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** As the engine writes headings, and the tags of a board: nothing in a text from elsewhere must pass for one. */
const HEADING = /^ {0,3}#{1,2}(?:\s|$)/;
const TAG = /<\/?(?:inbox|auto-claimed)\b/;

/** Text from elsewhere within texts of ours: in a fence if something in it passes for a heading, else as it is. */
export function setApart(text: string): string {
  return TAG.test(text) || linesOf(text).some((line) => HEADING.test(line)) ? fencedText(text) : text;
}
