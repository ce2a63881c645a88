import { isJsonObject, type Json, type JsonObject, setField } from './json';
import { withoutMark } from './lines';
import { numberAt, remembersNumbers, type Spelled, setNumber, spellingAt, WrittenNumber } from './spelled-json';

/** Reads and writes the text of JSON, numbers as they were written (`spelled-json.ts`). */

/**
 * Reads JSON. Throws a SyntaxError as `JSON.parse` does. A byte order mark before it is skipped. @typeParam T the type that Thermidor
 * itself has written there
 */
export function parseJson<T = Json>(text: string): T {
  return parseBoxed(text).value as T;
}

/** The value of a text; undefined if it is not JSON. */
export function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The value in a box, for a number that is the whole text: the box remembers how the number was written. */
export function parseBoxed(text: string): { value: Json } {
  const json = withoutMark(text);
  const value = JSON.parse(json) as Json;
  return SUSPECT.test(json) ? readNumbers(json) : { value };
}

/** The value of a text; a number that is the whole text keeps its spelling. */
export function parseSpelled(text: string): Spelled {
  const box = parseBoxed(text);
  return numberAt(box, 'value') ?? box.value;
}

/**
 * Matches any text in which a number is spelled differently than a double, and few others. Digests and times, which most texts have, are in
 * quotes and no numbers. Nothing in it is repeated without a bound.
 */
const SUSPECT = /(?<![^\s[,:])(?:-0(?![\d.])|-?(?:\d[\d.]{15}|\d{1,15}\.\d{0,15}0(?![^\s,\]}])|[\d.]{1,15}[eE][-+]?\d))/;
const IN_NUMBERS = '-+.eE0123456789';
const [QUOTE, BACKSLASH] = ['"', '\\'];

/** Reads a text that is known to be JSON. No recursion: it may still be nested too deep. */
function readNumbers(json: string): { value: Json } {
  const box: { value: Json } = { value: null };
  const open: { container: Json[] | JsonObject; key?: string | number | undefined }[] = [{ container: box as JsonObject, key: 'value' }];
  const put = (value: Json, number?: string): void => {
    const within = open.at(-1);
    if (!within) return;
    const { container, key = Array.isArray(container) ? container.length : '' } = within;
    if (number !== undefined) setNumber(container, key, number);
    else if (Array.isArray(container)) container.push(value);
    else if (key === '__proto__') setField(container, key, value);
    else container[key] = value;
    within.key = undefined;
  };
  for (let at = 0; at < json.length; ) {
    const char = json[at] ?? '';
    if (char === QUOTE) {
      const end = endOfText(json, at);
      const text = textBetween(json, at, end);
      const within = open.at(-1);
      if (within && !Array.isArray(within.container) && within.key === undefined) within.key = text;
      else put(text);
      at = end;
    } else if (char === '{' || char === '[') {
      const container = char === '[' ? [] : {};
      put(container);
      open.push({ container });
      at += 1;
    } else if (char === '}' || char === ']') {
      open.pop();
      at += 1;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      const start = at;
      while (at < json.length && IN_NUMBERS.includes(json[at] ?? ' ')) at += 1;
      put(null, json.slice(start, at));
    } else if (char === 't' || char === 'f' || char === 'n') {
      put(char === 'n' ? null : char === 't');
      at += char === 'f' ? 'false'.length : 'true'.length;
    } else at += 1;
  }
  return box;
}

/** Most texts have nothing to be read in another way than it is written. */
function textBetween(json: string, open: number, end: number): string {
  const text = json.slice(open + 1, end - 1);
  return text.includes(BACKSLASH) ? (JSON.parse(json.slice(open, end)) as string) : text;
}

/** The offset after the quote that ends a text. */
function endOfText(json: string, open: number): number {
  for (let at = open + 1; ; at += 1) {
    if (json[at] === BACKSLASH) at += 1;
    else if (json[at] === QUOTE || at >= json.length) return at + 1;
  }
}

interface Layout {
  /** The indentation of a level; everything is on one line by default. */
  step?: string;
  /** How a number is written that no double holds: in quotes for readers that would round it. */
  long?: 'bare' | 'quoted';
}

/** JSON text, numbers as they were written. */
export function jsonText(value: unknown, layout: Layout = {}): string {
  if (value instanceof WrittenNumber) return value.text;
  return remembersNumbers(value) ? (textOf({ value }, 'value', layout, '') ?? '') : JSON.stringify(value, null, layout.step);
}

/** JSON for a payload of Temporal: other programs read these, too, and would round a number that no double holds. */
export function payloadText(value: unknown): string {
  return jsonText(value, { long: 'quoted' });
}

/**
 * JSON text with sorted keys and no blanks: the same value, spelled the same, gives the same bytes, so that its digest names it. Keys sort
 * by UTF-16 unit, as `Array.prototype.sort` does everywhere. A key whose value is undefined is left out.
 */
export function canonicalText(value: unknown): string {
  return sortedTextOf({ value }, 'value');
}

function sortedTextOf(container: object, key: string | number): string {
  const number = spellingAt(container, key);
  if (number !== undefined) return number;
  const value: unknown = Reflect.get(container, key);
  if (Array.isArray(value)) return `[${value.map((_, i) => sortedTextOf(value, i)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const names = Object.keys(value).sort();
  return `{${names.flatMap((name) => (value[name] === undefined ? [] : `${JSON.stringify(name)}:${sortedTextOf(value, name)}`)).join(',')}}`;
}

function textOf(container: object, key: string | number, layout: Layout, indent: string): string | undefined {
  const { step = '', long } = layout;
  const value: unknown = Reflect.get(container, key);
  const number = spellingAt(container, key);
  if (number !== undefined) return long === 'quoted' && typeof value === 'string' ? JSON.stringify(number) : number;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value);
  const inner = indent + step;
  const parts = Array.isArray(value)
    ? value.map((_, i) => textOf(value, i, layout, inner) ?? 'null')
    : Object.keys(value).flatMap((name) => {
        const text = textOf(value, name, layout, inner);
        return text === undefined ? [] : [`${JSON.stringify(name)}:${step === '' ? '' : ' '}${text}`];
      });
  const [begin, end] = Array.isArray(value) ? '[]' : '{}';
  if (parts.length === 0 || step === '') return `${begin}${parts.join(',')}${end}`;
  return `${begin}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${end}`;
}
