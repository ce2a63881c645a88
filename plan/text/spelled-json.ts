import { type Json, type JsonObject, setField } from './json';
import { isJsonNumber, numberOf } from './numbers';

/**
 * JSON values whose numbers are kept as others have written them. JavaScript's own reader changes numbers: 1234567890123456789 is rounded,
 * 1.10 becomes 1.1.
 *
 * 1. A number that a double holds is a number, however it is written: comparing, counting and checking use its value. 2. A number that no
 * double holds (`1234567890123456789`, `123e456`) is its text. Nothing that passes it on can round it. 3. A number's container remembers
 * its spelling, if a double is written differently (`1.10`, `1e3`): `jsonText` and templates keep it. A copy that `copyField` did not make
 * forgets that, and keeps the value.
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

/** Whether a number within a value is spelled differently than a double. */
export function remembersNumbers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return spellings.has(value) || Object.values(value).some(remembersNumbers);
}
