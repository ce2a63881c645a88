import type { SourceText } from '../diagnostics/diagnostic';
import type { Entry } from './node';

/**
 * Lines `key: text` of a Markdown head whose text has a colon in it, such as `description: Use it to review. Example: user: "Look at it"`.
 * YAML has no reading for them; coding agents write such descriptions without quotes, and take the rest of the line verbatim. So do we.
 *
 * Invariants: 1. only what is no YAML for certain is read so: the key is at the line's beginning, the text begins as plain text does and
 * has
 * a `: `, or a colon at its end; 2. what is left has the same length, so that every place in it is the file's.
 */
export interface LooseLines {
  entries: Entry[];
  /** The text with blanks in the place of those lines. */
  rest: string;
}

const LOOSE_LINE = /^([A-Za-z][\w-]*):[ \t]+([^\s"'[\]{}|>&*!#%@`?,-](?:.*?:[ \t].*\S|.*:))[ \t]*$/gm;

/** @param from where the head begins */
export function looseLines(source: SourceText, from: number): LooseLines {
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
