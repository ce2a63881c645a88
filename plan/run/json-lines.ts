import { field, isJsonObject, type Json, setField } from '../text/json';
import { jsonText, parseJson } from '../text/json-text';
import { copyField, numberAt } from '../text/spelled-json';

/**
 * Large JSON as text that can be read piece by piece: its longest list or object comes last, one entry a line. JSON has no line breaks of
 * its own, so a text of one line is plain JSON.
 *
 * First line: the path of that list or object, `["state","records"]`. Second line: everything else, with an empty one in its place. Then
 * `"key":value` or, for a list, `value`.
 */
export function jsonLines(value: object): string {
  const { at, entries } = longestIn(value);
  if (!entries) return jsonText(value);
  const lines = [JSON.stringify(at), jsonText(withEmpty(value, at))];
  if (Array.isArray(entries)) for (const [i, entry] of entries.entries()) lines.push(jsonText(numberAt(entries, i) ?? entry));
  else
    for (const [key, entry] of Object.entries(entries)) lines.push(`${JSON.stringify(key)}:${jsonText(numberAt(entries, key) ?? entry)}`);
  return lines.join('\n');
}

/** Takes the lines of such a text in order, some whole ones at a time. Both throw a SyntaxError if the text is invalid. */
export interface LinesReader {
  take(lines: string): void;
  /** The value, once all lines are there. */
  value(): Json;
}

export function jsonLinesReader(): LinesReader {
  let first: string | undefined;
  let whole: Json | undefined;
  let entries: Json | undefined;

  function takeEntries(lines: string): void {
    const list = lines.replaceAll('\n', ',');
    if (Array.isArray(entries)) {
      const more = parsedList(`[${list}]`);
      for (const i of more.keys()) copyField(more, i, entries, entries.length);
    } else if (isJsonObject(entries)) {
      const more = parsed(`{${list}}`);
      if (isJsonObject(more)) for (const key of Object.keys(more)) copyField(more, key, entries);
    } else throw new SyntaxError('its first line leads nowhere');
  }

  return {
    take(text) {
      let lines = text.endsWith('\n') ? text.slice(0, -1) : text;
      if (first === undefined) [first, lines] = cut(lines);
      if (whole === undefined && lines !== '') {
        const [head, rest] = cut(lines);
        whole = parsed(head);
        entries = parsedList(first).reduce<Json | undefined>((within, key) => field(within, String(key)), whole);
        lines = rest;
      }
      if (lines !== '') takeEntries(lines);
    },
    value: () => whole ?? parsed(first ?? ''),
  };
}

function parsed(text: string): Json {
  return parseJson(text);
}

function parsedList(text: string): Json[] {
  const list = parsed(text);
  if (Array.isArray(list)) return list;
  throw new SyntaxError('it is not a list');
}

function cut(lines: string): [first: string, rest: string] {
  const end = lines.indexOf('\n');
  return end < 0 ? [lines, ''] : [lines.slice(0, end), lines.slice(end + 1)];
}

/** How deep the longest part is looked for: a state's records and a plan's steps are there. */
const DEPTH = 2;

function longestIn(value: object): { at: string[]; entries?: object } {
  let longest: { at: string[]; entries?: object; length: number } = { at: [], length: 0 };
  const look = (within: object, outer: string[]): void => {
    for (const [key, entries] of Object.entries(within)) {
      if (typeof entries !== 'object' || entries === null) continue;
      const at = [...outer, key];
      const length = Object.keys(entries).length;
      if (length > longest.length) longest = { at, entries, length };
      if (at.length < DEPTH && !Array.isArray(entries)) look(entries, at);
    }
  };
  look(value, []);
  return longest;
}

/** A copy down to a place, with nothing there. */
function withEmpty(value: unknown, [key, ...below]: readonly string[]): unknown {
  if (key === undefined) return Array.isArray(value) ? [] : {};
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value ?? {})) {
    if (name === key) setField(copy, name, withEmpty(inner, below));
    else copyField(value as object, name, copy);
  }
  return copy;
}
