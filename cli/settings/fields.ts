import { didYouMean, listWords } from '../../compiler/diagnostics/suggest';
import { defined } from '../../plan/defined';
import { CHAT_NAMES, type Chat } from '../../plan/people/chats';
import { isSecretReference } from '../../plan/run/args';
import { durationMs } from '../../plan/text/duration';
import { isJsonObject, setField } from '../../plan/text/json';

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

/** Takes a value as it is: something else reads it. */
export const unread: Reader<unknown> = (value) => value;

type Readers = Readonly<Record<string, Reader<unknown>>>;

/** What readers make of a mapping. A key is absent if it is not written, or has a mistake. */
export type ReadBy<R extends Readers> = { -readonly [K in keyof R]?: R[K] extends Reader<infer T> ? T : never };

/** A mapping with some keys, each with its reader; others are reported. The path is empty for the file itself. */
export function record<R extends Readers>(readers: R): Reader<ReadBy<R>> {
  const known = Object.keys(readers);
  return (value, path, problems) => {
    const content = mapping(value, path, problems);
    if (!content) return undefined;
    for (const key of Object.keys(content)) {
      if (known.includes(key)) continue;
      const holder = path === '' ? '' : `"${path}" has an `;
      refuseKey(problems, within(path, key), `${holder}unknown key "${key}"`, didYouMean(key, known) ?? `known: ${known.join(', ')}`);
    }
    const read = (key: string) => (Object.hasOwn(content, key) ? readers[key]?.(content[key], within(path, key), problems) : undefined);
    return defined(Object.fromEntries(known.map((key) => [key, read(key)]))) as ReadBy<R>;
  };
}

/** The same reader for the key of each chat. */
export function forChats<T>(read: Reader<T>): Record<Chat, Reader<T>> {
  return Object.fromEntries(CHAT_NAMES.map((chat) => [chat, read])) as Record<Chat, Reader<T>>;
}

/** A mapping of names to things of one sort. An entry without a reading is left out. */
export function named<T>(
  read: (content: unknown, path: string, problems: Problems, name: string) => T | undefined,
): Reader<Record<string, T>> {
  return (value, path, problems) => {
    const found: Record<string, T> = {};
    for (const [name, content] of Object.entries(mapping(value, path, problems) ?? {})) {
      const one = read(content, within(path, name), problems, name);
      if (one !== undefined) setField(found, name, one);
    }
    return found;
  };
}

/** What a value is made into; without that the mistake is that it must be `what`. */
export function must<T>(what: string, make: (value: unknown) => T | undefined, hint?: string): Reader<T> {
  return (value, name, problems) => {
    const made = make(value);
    if (made === undefined) refuse(problems, name, `"${name}" must be ${what}`, hint);
    return made;
  };
}

/** A value that is read first, and then has to be `what`. */
export function fitting<T>(read: Reader<T>, what: string, fits: (value: T) => boolean): Reader<T> {
  return (value, name, problems) => {
    const found = read(value, name, problems);
    if (found === undefined || fits(found)) return found;
    refuse(problems, name, `"${name}" must be ${what}`);
    return undefined;
  };
}

/** Text of a given form. */
export function shaped(form: RegExp, what: string): Reader<string> {
  return fitting(text, what, (read) => form.test(read));
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
export const secret: Reader<string> = must(
  'a reference such as secret://env/NAME or secret://file/PATH',
  (value) => (typeof value === 'string' && isSecretReference(value) ? value : undefined),
  'never put keys in this file',
);

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
  return must(`a whole number from ${least} to ${most}`, (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined,
  );
}

/** A duration within bounds, in milliseconds. */
export function duration(what: string, leastMs: number, mostMs = Number.POSITIVE_INFINITY): Reader<number> {
  return must(what, (value) => {
    const ms = typeof value === 'string' ? durationMs(value) : undefined;
    return ms !== undefined && ms >= leastMs && ms <= mostMs ? ms : undefined;
  });
}
