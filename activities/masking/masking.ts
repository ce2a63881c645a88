import { isJsonObject, type Json, setField } from '../../plan/text/json';
import { copyField } from '../../plan/text/spelled-json';
import type { RunSecrets } from '../run/run-secrets';

/** The same value without the secrets of a run, in its own shape. */
export type Masking<T> = (value: T, secrets: RunSecrets) => T;

type Keys<T> = T extends unknown ? keyof T : never;
type Field<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** For control data, and for what was masked where it was made. */
export function asIs<T>(value: T): T {
  return value;
}

/** Every text within. */
export function text<T>(value: T, { maskJson }: RunSecrets): T {
  // Masked JSON has the shape that it had.
  return value === undefined ? value : (maskJson(value as Json) as T);
}

/** Masks an object of which each field is named: a new field does not compile until somebody has decided. */
export function fields<T extends object>(of: { readonly [K in Keys<T>]-?: Masking<Exclude<Field<T, K>, undefined>> }): Masking<T> {
  const maskings = new Map(Object.entries<Masking<never>>(of));
  return (object, secrets) => {
    return byField(object, (key, value) => (value === undefined ? value : (maskings.get(key) ?? text)(value as never, secrets))) as T;
  };
}

/** An object that another program may have written: of fields that are not named nothing is known. */
export function within(of: Readonly<Record<string, Masking<Json>>>): Masking<Json> {
  return (value, secrets) => {
    if (!isJsonObject(value)) return value;
    return byField(value, (key, field) => (of[key] ?? asIs)(field as Json, secrets)) as Json;
  };
}

export function each<T>(item: Masking<T>): Masking<T[]> {
  return (list, secrets) => list.map((one) => item(one, secrets));
}

/** Masks each item of JSON that need not be a list. */
export function eachWithin(item: Masking<Json>): Masking<Json> {
  return (list, secrets) => (Array.isArray(list) ? list.map((one) => item(one, secrets)) : list);
}

/** The values of a record; its keys are names. */
export function values<T>(item: Masking<T>): Masking<Record<string, T>> {
  return (record, secrets) => byField(record, (_, one) => item(one as T, secrets)) as Record<string, T>;
}

/** Unchanged values are copied, so that a number keeps its spelling. */
function byField(object: object, mask: (key: string, value: unknown) => unknown): Record<string, unknown> {
  const masked: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) {
    const shown = mask(key, value);
    if (shown === value) copyField(object, key, masked);
    else setField(masked, key, shown);
  }
  return masked;
}
