import type { Json } from '../../../plan/text/json';
import { jsonText, parseJson } from '../../../plan/text/json-text';

/**
 * A value in a pipe. Between two stages of one process a value may be missing (`pick` of a missing field), as in Lobster; stored items
 * become JSON, where a missing list entry is null and a missing field is absent.
 */
export type Item = undefined | null | boolean | number | string | Item[] | ItemObject;
export interface ItemObject {
  [key: string]: Item;
}

export function isItemObject(item: Item): item is ItemObject {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

/** An own property, including those of a text or a list (`length`, `0`); never a prototype's. */
export function member(item: Item, key: string): Item {
  if (item === undefined || item === null) return undefined;
  if (isItemObject(item)) return Object.hasOwn(item, key) ? item[key] : undefined;
  if (typeof item !== 'string' && !Array.isArray(item)) return undefined;
  if (key === 'length') return item.length;
  return /^(?:0|[1-9]\d*)$/.test(key) ? item[Number(key)] : undefined;
}

/** The value at a dotted path; empty parts of it are skipped, so that `.` is the item itself. */
export function byPath(item: Item, path: string): Item {
  return path
    .split('.')
    .filter((key) => key !== '')
    .reduce<Item>((here, key) => member(here, key), item);
}

/** An object of these fields, the last of one name winning; `__proto__` is a field like any other. */
export function itemObject(fields: Iterable<readonly [string, Item]>): ItemObject {
  return Object.fromEntries(fields);
}

/**
 * The text that JavaScript makes of a value, on which Lobster's comparisons and filters are based; never fails, whatever an object's fields
 * are.
 */
export function coerced(item: Item): string {
  if (Array.isArray(item)) return joinedItems(item, ',');
  return isItemObject(item) ? '[object Object]' : String(item);
}

export function joinedItems(items: readonly Item[], separator: string): string {
  return items.map((item) => (item === undefined || item === null ? '' : coerced(item))).join(separator);
}

/** The items as JSON: a list of them, whatever was missing in them settled. */
export function asJsonItems(items: readonly Item[]): Json[] {
  return items.map((item) => (item === undefined ? null : parseJson(jsonText(item))));
}

/** JSON text with the keys of every object sorted, so that equal values have equal texts. */
export function stableJson(value: Item): string {
  const sorted = (_: string, part: Item) =>
    isItemObject(part) ? itemObject(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : part;
  return JSON.stringify(value, sorted) ?? 'null';
}

/** A text unchanged, anything else as JSON: an item on a line of its own. */
export function asLine(item: Item): string {
  return typeof item === 'string' ? item : (jsonText(item) ?? '');
}
