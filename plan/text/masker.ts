import { defined } from '../defined';
import { isJsonObject, type Json } from './json';
import { secretForms } from './secret-forms';
import { numberAt, type Spelled, spelledList, spelledObject, WrittenNumber } from './spelled-json';

export const MASK = '***';
const DIGEST = /^[0-9a-f]{64}$/;
/** Matches the part of a header before the credential. */
const SCHEME = /^[A-Za-z-]+\s+(?=\S+$)/;

/** Takes secrets out of a text. */
export interface Mask {
  (text: string): string;
  /** No way to write one of them has more characters. Absent: that is not known. */
  readonly longest?: number;
}

/** Takes secrets out of a text, however they are written there. */
export function masker(secrets: readonly string[]): Mask {
  const forms = secretForms(secrets);
  const mask = (text: string) => {
    let masked = '';
    let shownTo = 0;
    for (const { from, to } of forms.spansIn(text)) {
      if (from >= shownTo) masked += text.slice(shownTo, from) + MASK;
      shownTo = Math.max(shownTo, to);
    }
    return masked === '' ? text : masked + text.slice(shownTo);
  };
  return Object.assign(mask, { longest: forms.longest });
}

/** Takes secrets out of every text within a value, keys included. */
export function maskJson(value: Json, mask: (text: string) => string): Json {
  if (typeof value === 'string') return maskValue(value, mask);
  if (Array.isArray(value)) return spelledList(value.map((_, at) => maskField(value, at, mask)));
  if (!isJsonObject(value)) return value;
  return spelledObject(Object.keys(value).map((key) => [mask(key), maskField(value, key, mask)]));
}

/** Masks a value that may be a number with a spelling of its own. */
export function maskSpelled(value: Spelled, mask: (text: string) => string): Spelled {
  if (!(value instanceof WrittenNumber)) return maskJson(value, mask);
  const masked = mask(value.text);
  return masked === value.text ? value : masked;
}

function maskField(container: object, key: string | number, mask: (text: string) => string): Spelled {
  return maskSpelled(numberAt(container, key) ?? Reflect.get(container, key), mask);
}

/** A digest names an artifact: a secret that happens to occur within one is left, or nobody would find the artifact. */
function maskValue(text: string, mask: (text: string) => string): string {
  const masked = mask(text);
  return DIGEST.test(text) && masked !== MASK ? text : masked;
}

/** A header's secret, and also the part without `Bearer` and the like, which is a secret by itself. */
export function withoutScheme(secret: string): string[] {
  return [...new Set([secret, secret.replace(SCHEME, '')])];
}

/** Takes out what either hides. */
export function bothMasks(one: Mask, other: Mask): Mask {
  const longest = one.longest === undefined || other.longest === undefined ? undefined : Math.max(one.longest, other.longest);
  return Object.assign((text: string) => other(one(text)), defined({ longest }));
}
