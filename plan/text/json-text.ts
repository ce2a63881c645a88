import { isJsonObject, type Json, type JsonObject, setField } from './json';
import { withoutMark } from './lines';
import { isJsonNumber, numberOf } from './numbers';

/**
 * Reads and writes JSON that others have written. JavaScript's own changes numbers: 1234567890123456789 is rounded, 1.10 becomes 1.1.
 *
 * 1. A number that a double holds is a number, however it is written: comparing, counting and checking use its value.
 * 2. A number that no double holds (`1234567890123456789`, `123e456`) is its text. Nothing that passes it on can round it.
 * 3. A number's container remembers its spelling, if a double is written differently (`1.10`, `1e3`): `jsonText` and templates    write it
 * so. A copy that `copyField` did not make forgets that, and keeps the value.
 */
const spellings = new WeakMap<object, Map<string, string>>();

/** The spelling of the number in a field; undefined if it is the usual one of a double, or if there is no number. */
export function spellingAt(container: object, key: string | number): string | undefined {
  const text = spellings.get(container)?.get(String(key));
  if (text === undefined) return undefined;
  const value: unknown = Reflect.get(container, key);
  return value === text || (typeof value === 'number' && value === Number(text)) ? text : undefined;
}

/** Puts a number into a field, as it was written. */
export function setNumber(container: object, key: string | number, text: string): void {
  const value = numberOf(text);
  setField(container as Record<string, unknown>, String(key), value);
  const known = spellings.get(container) ?? new Map<string, string>();
  known.delete(String(key));
  if (isJsonNumber(text) && (typeof value === 'string' || String(value) !== text)) known.set(String(key), text);
  if (known.size > 0) spellings.set(container, known);
}

/** Copies a field into another one; a number keeps its spelling. */
export function copyField(from: object, key: string | number, to: object, as: string | number = key): void {
  const text = spellingAt(from, key);
  if (text === undefined) setField(to as Record<string, unknown>, String(as), Reflect.get(from, key));
  else setNumber(to, as, text);
}

/** A number taken out of its container, with its spelling. */
export class WrittenNumber {
  constructor(
    readonly value: number | string,
    readonly text: string,
  ) {}
}

/** A value, or a number with how it was written. */
export type Spelled = Json | WrittenNumber;

export function numberAt(container: object, key: string | number): WrittenNumber | undefined {
  const text = spellingAt(container, key);
  return text === undefined ? undefined : new WrittenNumber(numberOf(text), text);
}

/** A number from its text. */
export function spelledNumber(text: string): Spelled {
  const box = { value: null };
  setNumber(box, 'value', text);
  return numberAt(box, 'value') ?? box.value;
}

export function plain(value: Spelled): Json {
  return value instanceof WrittenNumber ? value.value : value;
}

/** Puts a value into a field. */
export function setSpelled(container: object, key: string | number, value: Spelled): void {
  if (value instanceof WrittenNumber) setNumber(container, key, value.text);
  else setField(container as Record<string, unknown>, String(key), value);
}

export function spelledList(values: readonly Spelled[]): Json[] {
  const list: Json[] = [];
  for (const [at, value] of values.entries()) setSpelled(list, at, value);
  return list;
}

export function spelledObject(fields: Iterable<readonly [string, Spelled]>): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of fields) setSpelled(object, key, value);
  return object;
}

/**
 * The same value with every number as the nearest double, for checking and counting. The value itself if they all are; infinity is not
 * allowed.
 */
export function inDoubles(value: Spelled): Json {
  if (value instanceof WrittenNumber) return Number.isFinite(Number(value.text)) ? Number(value.text) : value.text;
  if (typeof value !== 'object' || value === null || !remembersNumbers(value)) return value;
  const fieldAt = (key: string | number, inner: Json): Json => {
    const text = spellingAt(value, key);
    if (text === undefined) return inDoubles(inner);
    return Number.isFinite(Number(text)) ? Number(text) : text;
  };
  if (Array.isArray(value)) return value.map((item, at) => fieldAt(at, item));
  return spelledObject(Object.entries(value).map(([key, item]) => [key, fieldAt(key, item)]));
}

/** Its own fields, in order. */
export function spelledFields(container: Readonly<Record<string, Json>>): [key: string, value: Spelled][] {
  return Object.keys(container).map((key) => [key, numberAt(container, key) ?? container[key] ?? null]);
}

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

/** The same in a box, for a number that is the whole text: the box remembers how that was written. */
export function parseBoxed(text: string): { value: Json } {
  const json = withoutMark(text);
  const value = JSON.parse(json) as Json;
  return SUSPECT.test(json) ? readNumbers(json) : { value };
}

/** The same for one value: a number that is the whole text keeps its spelling. */
export function parseSpelled(text: string): Spelled {
  const box = parseBoxed(text);
  return numberAt(box, 'value') ?? box.value;
}

/** Matches any text in which a number is spelled differently than a double. */
const SUSPECT = /\d[\d.]{15}|\.\d*0(?!\d)|\d[eE][-+]?\d|-0(?![\d.])/;
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

/** Whether a number within a value is spelled differently than a double. */
export function remembersNumbers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return spellings.has(value) || Object.values(value).some(remembersNumbers);
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
