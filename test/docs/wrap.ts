/** The longest line of a page, tables, headings and blocks of code apart. */
export const WIDTH = 120;
/** The longest row of a table: what is wider is a list. */
export const ROW_WIDTH = 160;

/** Paragraphs of generated Markdown, in lines of at most `WIDTH`; code between backticks is broken only if it is longer. */
export function wrapProse(markdown: string): string {
  let inBlock = false;
  const lines = markdown.split('\n').map((line) => {
    const fence = /^```/.test(line);
    if (fence) inBlock = !inBlock;
    return inBlock || fence || isNoProse(line) ? line : wrapLine(line);
  });
  return lines.join('\n');
}

/** Lines of a page that are longer than `WIDTH`, or than `ROW_WIDTH` in a table, as `number: text`. */
export function tooLong(page: string): string[] {
  let inBlock = false;
  return page.split('\n').flatMap((line, i) => {
    if (/^ *(?:```|~~~)/.test(line)) inBlock = !inBlock;
    const most = /^ *\|/.test(line) ? ROW_WIDTH : isNoProse(line) ? Number.POSITIVE_INFINITY : WIDTH;
    return !inBlock && line.length > most ? [`${i + 1}: ${line}`] : [];
  });
}

function isNoProse(line: string): boolean {
  return /^ *(?:\||#+ |<!--)/.test(line);
}

/** At the beginning of a line it would begin a list or a heading. */
const MARKUP = /^ *(?:[-+*>|]|#+|\d+[.)])$/;

function wrapLine(line: string): string {
  const rest = ' '.repeat(/^ *(?:[-*] |\d+\. )?/.exec(line)?.[0].length ?? 0);
  const lines: string[] = [];
  for (const word of wordsOf(line)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + word.length <= WIDTH) lines[lines.length - 1] = last + word;
    else lines.push(last === undefined ? word : rest + word.trimStart());
  }
  return lines.join('\n');
}

/** What would begin a list or a heading at the beginning of a line is one word with the word before it. */
function wordsOf(line: string): string[] {
  const made: string[] = [];
  for (const word of line.match(/ *(?:`[^`]*`|[^\s`])+/g) ?? []) {
    if (made.length > 0 && MARKUP.test(word)) made.push(`${made.pop()}${word}`);
    else made.push(...(word.length > WIDTH ? (word.match(/ *\S+/g) ?? []) : [word]));
  }
  return made;
}
