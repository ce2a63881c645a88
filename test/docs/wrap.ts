/** The longest line of a page, tables, headings and blocks of code apart. */
export const WIDTH = 120;

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

/** Lines of a page that are prose and longer than `WIDTH`, as `number: text`. */
export function tooLong(page: string): string[] {
  let inBlock = false;
  return page.split('\n').flatMap((line, i) => {
    if (/^ *(?:```|~~~)/.test(line)) inBlock = !inBlock;
    return !inBlock && !isNoProse(line) && line.length > WIDTH ? [`${i + 1}: ${line}`] : [];
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
  const words = line.match(/ *(?:`[^`]*`|[^\s`])+/g) ?? [];
  for (const word of words.flatMap((one) => (one.length > WIDTH ? (one.match(/ *\S+/g) ?? []) : [one]))) {
    const last = lines[lines.length - 1];
    if (last !== undefined && (last.length + word.length <= WIDTH || MARKUP.test(word))) lines[lines.length - 1] = last + word;
    else lines.push(last === undefined ? word : rest + word.trimStart());
  }
  return lines.join('\n');
}
