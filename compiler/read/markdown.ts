import { defined } from '../../plan/defined';
import { type Located, type Report, type SourceSpan, type SourceText, topOf } from '../diagnostics/diagnostic';
import type { Entry, MappingNode } from './node';
import { isText } from './text';
import { readYaml } from './yaml';

/**
 * Lines `key: text` of a Markdown head whose text has a colon in it, such as `description: Use it to review. Example: user: "Look at it"`.
 * They are invalid YAML; coding agents write such descriptions without quotes, and take the rest of the line verbatim. So do we.
 *
 * Invariants: 1. only what is certainly not YAML is read in this way: the key is at the line's beginning, the text begins as plain text
 * does and has a `: `, or a colon at its end; 2. the remaining text has the same length, so that every place in it is the file's.
 */
interface BareTextLines {
  entries: Entry[];
  /** The text with blanks in place of those lines. */
  rest: string;
}

const LOOSE_LINE = /^([A-Za-z][\w-]*):[ \t]+([^\s"'[\]{}|>&*!#%@`?,-](?:.*?:[ \t].*\S|.*:))[ \t]*$/gm;

/** @param from where the head begins */
function bareTextLines(source: SourceText, from: number): BareTextLines {
  const entries: Entry[] = [];
  const head = source.text.slice(from);
  const rest = head.replaceAll(LOOSE_LINE, (line: string, key: string, text: string, offset: number) => {
    const start = from + offset;
    const valueStart = start + line.indexOf(text, key.length + 1);
    const at = { source, start: valueStart, end: valueStart + text.length };
    const keyAt = { source, start, end: start + key.length };
    entries.push({ key, keyAt, value: { kind: 'scalar', at, value: text, text, style: 'plain', indent: 0 } });
    return ' '.repeat(line.length);
  });
  return { entries, rest: source.text.slice(0, from) + rest };
}

/**
 * Markdown with keys at its head: YAML between two lines of three dashes, then the text. Blank lines and comments may come before it: a
 * head that is taken for text would have an agent do what its keys forbid. Without a head all of it is text. Places count from the
 * beginning of the file, in the head as in the text.
 */
export interface MarkdownText {
  /** Empty if the file has none. */
  head: MappingNode;
  /** Without blanks around it; `''` if there is none. */
  body: Located<string>;
}

const BEFORE = /^\uFEFF?(?:[ \t]*(?:<!--(?:(?!-->)[\s\S])*-->[ \t]*)?\r?\n)*/;
const OPENING = /^---[ \t]*(?:\r?\n|$)/;
const CLOSING = /^---[ \t]*\r?$/gm;

/** Undefined if a mistake was reported. */
export function readMarkdown(source: SourceText, report: Report): MarkdownText | undefined {
  const { head, body } = readMarkdownParts(source, report) ?? {};
  return head && body && { head, body };
}

/**
 * The same, with the text also if the head has a mistake, so that those of the text can be reported, too. Undefined if nobody can say where
 * the text begins. @param begin how such a head may begin, as a hint for one that is no mapping
 */
export function readMarkdownParts(
  source: SourceText,
  report: Report,
  begin?: string,
): { head: MappingNode | undefined; body: Located<string> } | undefined {
  const { text } = source;
  if (!isText(source, report)) return undefined;
  const first = source.lineStarts[0] ?? 0;
  const start = BEFORE.exec(text)?.[0].length ?? first;
  const opening = OPENING.exec(text.slice(start));
  const asText = { head: emptyHead(topOf(source)), body: bodyFrom(source, first) };
  if (!opening) return asText;
  const inside = start + opening[0].length;
  CLOSING.lastIndex = inside;
  const closing = CLOSING.exec(text);
  if (!closing) {
    // Further down a line of dashes may be a rule across the page.
    if (start > first) return asText;
    const at = { source, start, end: start + 3 };
    report('markdown.open-head', at, 'the keys at the head of the file have no end', 'put a line of three dashes `---` below them');
    return undefined;
  }
  const body = bodyFrom(source, closing.index + closing[0].length);
  if (text.slice(inside, closing.index).trim() === '') return { head: emptyHead(topOf(source)), body };
  // The text is cut after the head, and blanks replace what is before it, so that every place is the file's.
  const before = text.slice(0, start).replace(/[^\r\n\uFEFF]/g, ' ');
  return { head: readHead({ ...source, text: before + text.slice(start, closing.index) }, inside, report, begin), body };
}

function readHead(source: SourceText, from: number, report: Report, begin: string | undefined): MappingNode | undefined {
  const { entries, rest } = bareTextLines(source, from);
  const strict =
    rest.slice(from).trim() === '' ? emptyHead(topOf(source)) : readYaml({ ...source, text: rest }, report, defined({ begin }));
  if (!strict || entries.length === 0) return strict;
  const all = [...strict.entries, ...entries].sort((one, other) => one.keyAt.start - other.keyAt.start);
  const twice = all.find(({ key }, index) => all.findIndex((entry) => entry.key === key) < index);
  if (!twice) return { ...strict, entries: all };
  report('yaml.duplicate-key', twice.keyAt, `the key "${twice.key}" appears here for the second time`, 'remove one of the two');
  return undefined;
}

function emptyHead(at: SourceSpan): MappingNode {
  return { kind: 'mapping', at, entries: [] };
}

function bodyFrom(source: SourceText, from: number): Located<string> {
  const rest = source.text.slice(from);
  const value = rest.trim();
  const start = from + (rest.length - rest.trimStart().length);
  return { value, at: { source, start, end: start + value.length } };
}
