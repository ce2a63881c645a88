import type { Located, SourceSpan } from '../diagnostics/diagnostic';

/** A heading of a Markdown text, and the text from below it up to the next heading. */
export interface HeadedText {
  heading: Located<string>;
  /** 1 to 6. */
  level: number;
  /** Without blanks around it; lines end with `\n`. */
  text: Located<string>;
}

/**
 * The headings of a Markdown text, in both spellings (`## Title`, and a paragraph underlined with `=` or `-`). Those in fenced code, in
 * indented code, in lists, quotes and comments do not count. Pure, in time proportional to the text.
 */
export function headingsIn(body: Located<string>): HeadedText[] {
  const found = headingLines(body.value);
  return found.map(({ title, level, start, end, below }, index) => {
    const heading = { value: title, at: spanIn(body, start, end) };
    return { heading, level, text: trimmedText(body, below, found[index + 1]?.start ?? body.value.length) };
  });
}

/** The text above the first heading. */
export function textAboveHeadings(body: Located<string>): Located<string> {
  return trimmedText(body, 0, headingLines(body.value)[0]?.start ?? body.value.length);
}

function trimmedText(body: Located<string>, from: number, to: number): Located<string> {
  const raw = body.value.slice(from, to);
  const start = from + (raw.length - raw.trimStart().length);
  return { value: raw.trim().replaceAll('\r\n', '\n'), at: spanIn(body, Math.min(start, to), from + raw.trimEnd().length) };
}

function spanIn({ at }: Located<string>, start: number, end: number): SourceSpan {
  return { source: at.source, start: at.start + start, end: at.start + Math.max(start, end) };
}

interface HeadingLine {
  title: string;
  level: number;
  /** Offsets in the body: of the heading, and of the first line below it. */
  start: number;
  end: number;
  below: number;
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
/** A rule across the page. */
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const QUOTE = /^ {0,3}>/;
const COMMENT = /^ {0,3}<!--/;

function headingLines(body: string): HeadingLine[] {
  const found: HeadingLine[] = [];
  /** What ends the block that the line is in. */
  let until: ((line: string) => boolean) | undefined;
  let paragraph: { start: number; lines: string[] } | undefined;
  let inList = false;
  for (const { line, start, end, below } of linesOf(body)) {
    if (until) {
      if (until(line)) until = undefined;
      continue;
    }
    const fence = FENCE.exec(inList ? line.trimStart() : line)?.[1];
    const atx = inList && /^[ \t]/.test(line) ? null : ATX.exec(line);
    const underline = UNDERLINE.exec(line)?.[1];
    const before = paragraph;
    paragraph = undefined;
    if (fence !== undefined) until = (next) => closes(next, fence);
    else if (COMMENT.test(line)) until = line.includes('-->') ? undefined : (next) => next.includes('-->');
    else if (atx) found.push({ title: titleOf(atx[2] ?? ''), level: atx[1]?.length ?? 1, start: start + line.search(/\S/), end, below });
    else if (underline !== undefined && before)
      found.push({ title: before.lines.join(' '), level: underline.startsWith('=') ? 1 : 2, start: before.start, end, below });
    else if (RULE.test(line)) continue;
    else if (LIST_ITEM.test(line) || QUOTE.test(line)) inList = true;
    else if (line.trim() === '') continue;
    else if (before) paragraph = { ...before, lines: [...before.lines, line.trim()] };
    else if (/^[ \t]/.test(line) && (inList || /^(?: {4}|\t| {1,3}\t)/.test(line))) continue;
    else if (inList && !blankBefore(body, start)) continue;
    else {
      inList = false;
      paragraph = { start: start + line.search(/\S/), lines: [line.trim()] };
    }
    if (atx) inList = false;
  }
  return found;
}

function blankBefore(body: string, start: number): boolean {
  return /\n[ \t]*\r?\n$/.test(body.slice(Math.max(0, start - 200), start));
}

function closes(line: string, fence: string): boolean {
  const written = line.trim();
  return written.length >= fence.length && written === (fence[0] ?? '').repeat(written.length);
}

/** `## Title ##` is "Title". */
function titleOf(written: string): string {
  return written
    .trimEnd()
    .replace(/(?:^|[ \t])#+$/, '')
    .trim();
}

function* linesOf(body: string): Generator<{ line: string; start: number; end: number; below: number }> {
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf('\n', start);
    const below = newline === -1 ? body.length : newline + 1;
    const line = body.slice(start, newline === -1 ? body.length : newline).replace(/\r$/, '');
    yield { line, start, end: start + line.trimEnd().length, below };
    start = below;
  }
}
