import { type Located, type Report, type SourceText, type Spot, topOf } from '../diagnostics/diagnostic';
import { looseLines } from './loose-lines';
import type { MappingNode } from './node';
import { isText } from './text';
import { readYaml } from './yaml';

/**
 * Markdown with keys at its head: YAML between two lines of three dashes, then the text. Blank lines and comments may stand before
 * it: a head that is taken for text would have an agent do what its keys forbid. Without a head all of it is text. Places count
 * from the beginning of the file, in the head as in the text.
 */
export interface MarkdownText {
  /** Empty where the file has none. */
  head: MappingNode;
  /** Without blanks around it; `''` where there is none. */
  body: Located<string>;
}

const BEFORE = /^\uFEFF?(?:[ \t]*(?:<!--(?:(?!-->)[\s\S])*-->[ \t]*)?\r?\n)*/;
const OPENING = /^---[ \t]*(?:\r?\n|$)/;
const CLOSING = /^---[ \t]*\r?$/gm;

/** Undefined where it reported. */
export function readMarkdown(source: SourceText, report: Report): MarkdownText | undefined {
  const { text } = source;
  if (!isText(source, report)) return undefined;
  const first = source.lineStarts[0] ?? 0;
  const begin = BEFORE.exec(text)?.[0].length ?? first;
  const opening = OPENING.exec(text.slice(begin));
  const asText = { head: emptyHead(topOf(source)), body: bodyFrom(source, first) };
  if (!opening) return asText;
  const inside = begin + opening[0].length;
  CLOSING.lastIndex = inside;
  const closing = CLOSING.exec(text);
  if (!closing) {
    // Further down a line of dashes may be a rule across the page.
    if (begin > first) return asText;
    const at = { source, start: begin, end: begin + 3 };
    report('markdown.open-head', at, 'the keys at the head of the file have no end', 'put a line of three dashes `---` below them');
    return undefined;
  }
  const body = bodyFrom(source, closing.index + closing[0].length);
  if (text.slice(inside, closing.index).trim() === '') return { head: emptyHead(topOf(source)), body };
  // The text is cut behind the head, and before it there are blanks, so that every place is the file's.
  const before = text.slice(0, begin).replace(/[^\r\n\uFEFF]/g, ' ');
  const head = readHead({ ...source, text: before + text.slice(begin, closing.index) }, inside, report);
  return head && { head, body };
}

function readHead(source: SourceText, from: number, report: Report): MappingNode | undefined {
  const { entries, rest } = looseLines(source, from);
  const strict = rest.slice(from).trim() === '' ? emptyHead(topOf(source)) : readYaml({ ...source, text: rest }, report);
  if (!strict || entries.length === 0) return strict;
  const all = [...strict.entries, ...entries].sort((one, other) => one.keyAt.start - other.keyAt.start);
  const twice = all.find(({ key }, index) => all.findIndex((entry) => entry.key === key) < index);
  if (!twice) return { ...strict, entries: all };
  report('yaml.duplicate-key', twice.keyAt, `the key "${twice.key}" appears here for the second time`, 'remove one of the two');
  return undefined;
}

function emptyHead(at: Spot): MappingNode {
  return { kind: 'mapping', at, entries: [] };
}

function bodyFrom(source: SourceText, from: number): Located<string> {
  const rest = source.text.slice(from);
  const value = rest.trim();
  const start = from + (rest.length - rest.trimStart().length);
  return { value, at: { source, start, end: start + value.length } };
}
