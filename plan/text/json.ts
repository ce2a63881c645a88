/** A JSON value. Everything that crosses a boundary (history, store, command line) is one. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own-property read that never reaches a prototype: `field(value, 'constructor')` is undefined unless the value has one. */
export function field(value: unknown, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A field's text; undefined if it has none, or a blank one. */
export function textIn(value: Json | undefined, key: string): string | undefined {
  const found = field(value, key);
  return typeof found === 'string' && found.trim() !== '' ? found : undefined;
}

/** Own-property write that never reaches a prototype: any key of the author's is allowed, even `__proto__`. */
export function setField<T>(object: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Equal values have equal texts, whatever the order of their keys. */
export function canonicalJson(value: Json): string {
  const sorted = (_: string, part: Json): Json =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : part;
  return JSON.stringify(value, sorted);
}

/** Equality by value, ignoring key order; no coercion. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, i) => sameJson(item, b[i] as Json));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && sameJson(a[k] as Json, b[k] as Json));
}
