/** How much of a result an agent reads, in characters. A note says what is left out, and how to get it. */
export const RESULT_CHARACTERS = 30_000;

/** Whole items one after the other, as many as fit. At least one, so that continuing after the last makes progress. */
export function fitText(items: readonly string[]): string[] {
  const kept: string[] = [];
  let used = 0;
  for (const item of items) {
    used += item.length + 1;
    if (used > RESULT_CHARACTERS && kept.length > 0) break;
    kept.push(item);
  }
  return kept;
}

/** The text, or its beginning with a note. */
export function firstCharacters(text: string, characters: number, more: string): string {
  if (text.length <= characters) return text;
  const kept = wholeCharacters(text.slice(0, characters));
  return `${kept}\n[… ${text.length - kept.length} more characters; ${more}]`;
}

/** One line, or its beginning. */
export function shortLine(line: string, characters: number): string {
  if (line.length <= characters) return line;
  const kept = wholeCharacters(line.slice(0, characters));
  return `${kept} … [${line.length - kept.length} more characters in this line]`;
}

/** Matches a process's note on output that it has not kept (`CommandRequest.cut`). */
const NOT_KEPT = /\n\[… (\d+) bytes omitted …\]\n/;

/** The two ends of a text, with a note on the part between, including what was omitted there before. */
export function headAndTail(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const half = Math.floor(characters / 2);
  const [first, last] = [wholeCharacters(text.slice(0, half)), text.slice(-half).replace(/^[\udc00-\udfff]/, '')];
  const between = text.slice(first.length, text.length - last.length);
  const [note = '', bytes] = NOT_KEPT.exec(between) ?? [];
  const before = bytes === undefined ? '' : ` and ${bytes} bytes`;
  return `${first}\n[… ${between.length - note.length} characters${before} omitted …]\n${last}`;
}

/** Without half a character at the end. */
function wholeCharacters(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}
