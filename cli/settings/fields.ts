import { didYouMean, listWords } from '../../compiler/diagnostics/suggest';
import { defined } from '../../plan/defined';
import { isSecretReference } from '../../plan/run/args';
import { isJsonObject } from '../../plan/text/json';

/** A mistake in a file of settings. */
export interface Mistake {
  /** The keys that lead there, with dots between them; empty for the file itself. */
  path: string;
  /** The key is wrong, not its value. */
  ofKey?: true;
  says: string;
  /** What to do about it. */
  hint?: string;
}

/** Every mistake of a file. Readers add to it and continue. */
export type Problems = Mistake[];

export function refuse(problems: Problems, path: string, says: string, hint?: string): void {
  problems.push({ path, says, ...defined({ hint }) });
}

export function refuseKey(problems: Problems, path: string, says: string, hint?: string): void {
  problems.push({ path, ofKey: true, says, ...defined({ hint }) });
}

/** Reads the value of the key `name`, whose path is shown in mistakes; undefined if and only if it reported one. */
export type Reader<T> = (value: unknown, name: string, problems: Problems) => T | undefined;

/** The keys of a mapping, each read when it is asked for. */
export interface Fields {
  /** Whether it is written, whatever it says. */
  has(key: string): boolean;
  take<T>(key: string, read: Reader<T>): T | undefined;
}

/** A mapping with some keys; those it does not know are reported. `path` is empty for the file itself. */
export function settingFields(value: unknown, path: string, known: readonly string[], problems: Problems): Fields | undefined {
  const content = mapping(value, path, problems);
  if (!content) return undefined;
  for (const key of Object.keys(content)) {
    if (known.includes(key)) continue;
    const holder = path === '' ? '' : `"${path}" has an `;
    refuseKey(problems, within(path, key), `${holder}unknown key "${key}"`, didYouMean(key, known) ?? `known: ${known.join(', ')}`);
  }
  const has = (key: string) => Object.hasOwn(content, key);
  return {
    has,
    take: (key, read) => {
      if (!has(key)) return undefined;
      return read(content[key], within(path, key), problems);
    },
  };
}

function within(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

export const mapping: Reader<Record<string, unknown>> = (value, name, problems) => {
  if (isJsonObject(value) && !(value instanceof Date)) return value;
  refuse(problems, name, `"${name}" must be a mapping`);
  return undefined;
};

export const text: Reader<string> = (value, name, problems) => {
  if (typeof value === 'string' && value.trim() !== '') return value;
  refuse(problems, name, `"${name}" must be text`, typeof value === 'number' ? 'put it in quotes' : undefined);
  return undefined;
};

/** One text, or several in a list. */
export const texts: Reader<string[]> = (value, name, problems) => {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.length === 0) refuse(problems, name, `"${name}" is an empty list`);
  const read = items.flatMap((item) => text(item, name, problems) ?? []);
  return read.length > 0 ? read : undefined;
};

/** A key that signs: it is never written into the file. */
export const secret: Reader<string> = (value, name, problems) => {
  if (typeof value === 'string' && isSecretReference(value)) return value;
  refuse(problems, name, `"${name}" must be a reference such as secret://env/NAME or secret://file/PATH`, 'never put keys in this file');
  return undefined;
};

/** Text of a given form, described by `what`. */
export function shaped(form: RegExp, what: string): Reader<string> {
  return (value, name, problems) => {
    const read = text(value, name, problems);
    if (read === undefined || form.test(read)) return read;
    refuse(problems, name, `"${name}" must be ${what}`);
    return undefined;
  };
}

export function oneOf<const T extends string>(words: readonly T[]): Reader<T> {
  return (value, name, problems) => {
    const found = words.find((word) => word === value);
    if (found === undefined) {
      refuse(problems, name, `"${name}" must be ${listWords(words)}`, typeof value === 'string' ? didYouMean(value, words) : undefined);
    }
    return found;
  };
}

export function whole(least: number, most: number): Reader<number> {
  return (value, name, problems) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    refuse(problems, name, `"${name}" must be a whole number from ${least} to ${most}`);
    return undefined;
  };
}
