import { isJsonObject, type Json } from '../../plan/text/json';
import { copyField } from '../../plan/text/json-text';
import type { RunSecrets } from '../run/run-secrets';

/** The same value without the secrets of a run, in its own shape. */
export type Masking<T> = (value: T, secrets: RunSecrets) => T;

type Keys<T> = T extends unknown ? keyof T : never;
type Field<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** Control data, and what was masked where it was made. */
export function asIs<T>(value: T): T {
  return value;
}

/** Every text within. */
export function text<T>(value: T, { maskJson }: RunSecrets): T {
  // Masked JSON has the shape that it had.
  return value === undefined ? value : (maskJson(value as Json) as T);
}

/** An object, each of whose fields is named: a new one does not compile before somebody has decided. */
export function fields<T extends object>(of: { readonly [K in Keys<T>]-?: Masking<Exclude<Field<T, K>, undefined>> }): Masking<T> {
  const maskings = new Map(Object.entries<Masking<never>>(of));
  return (object, secrets) => {
    const masked = Object.entries(object).map(([key, value]) => {
      const masking = maskings.get(key) ?? text;
      return [key, value === undefined ? value : masking(value as never, secrets)];
    });
    return Object.fromEntries(masked) as T;
  };
}

/** An object that another program may have written: of fields that are not named nothing is known. */
export function within(of: Readonly<Record<string, Masking<Json>>>): Masking<Json> {
  return (value, secrets) => {
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, (of[key] ?? asIs)(field, secrets)]));
  };
}

export function each<T>(item: Masking<T>): Masking<T[]> {
  return (list, secrets) => list.map((one) => item(one, secrets));
}

/** The same for JSON, which may be no list. */
export function eachWithin(item: Masking<Json>): Masking<Json> {
  return (list, secrets) => (Array.isArray(list) ? list.map((one) => item(one, secrets)) : list);
}

/** The values of a record; its keys are names. */
export function values<T>(item: Masking<T>): Masking<Record<string, T>> {
  return (record, secrets) => {
    const masked = Object.fromEntries(Object.entries(record).map(([key, one]) => [key, item(one, secrets)]));
    for (const key of Object.keys(record)) if (masked[key] === record[key]) copyField(record, key, masked);
    return masked;
  };
}
