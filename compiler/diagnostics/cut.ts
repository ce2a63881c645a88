/**
 * Messages quote what the author wrote. A name or value of thousands of characters is shown by its beginning, so that the
 * message around it can be read. Names that are allowed are shown whole.
 */
const LONGEST_QUOTE = 80;
/** A hint is there to be copied: a line of code in it is left whole. */
const LONGEST_IN_HINT = 200;
const LONGEST_TEXT = 1000;

export function cutMessage(text: string): string {
  return cut(text, LONGEST_QUOTE);
}

export function cutHint(text: string): string {
  return cut(text, LONGEST_IN_HINT);
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const shorter = text.replace(QUOTED, (quoted) => shortened(quoted, longest)).replace(WORD, (word) => shortened(word, longest));
  return shorter.length <= LONGEST_TEXT ? shorter : `${beginning(shorter, LONGEST_TEXT - 1)}…`;
}

const QUOTED = /"(?:[^"\\]|\\.)*"/gs;
const WORD = /[^\s"]+/g;

function shortened(text: string, longest: number): string {
  if (text.length <= longest + 2) return text;
  return text.startsWith('"') ? `${beginning(text, longest)}…"` : `${beginning(text, longest - 1)}…`;
}

/** Not within a surrogate pair. */
function beginning(text: string, length: number): string {
  return /[\ud800-\udbff]/.test(text[length - 1] ?? '') ? text.slice(0, length - 1) : text.slice(0, length);
}
