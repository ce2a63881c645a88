import { isJsonObject, type Json } from './json';
import { numberAt, type Spelled, spelledList, spelledObject } from './json-text';
import { secretEncodings } from './secret-encodings';

export const MASK = '***';
const DIGEST = /^[0-9a-f]{64}$/;
/** What a header has before what proves who one is. */
const SCHEME = /^[A-Za-z-]+\s+(?=\S+$)/;

/** Every way in which secrets may be written, the longest first. */
export function maskedForms(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap(secretEncodings))].sort((a, b) => b.length - a.length);
}

/** Takes secrets out of a text, however they are written there. */
export function masker(secrets: readonly string[]): (text: string) => string {
  // Longest first, so that nothing of one is left over where a shorter one is part of it.
  const forms = maskedForms(secrets);
  return (text) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

/** The same for every text within a value, keys included. */
export function maskJson(value: Json, mask: (text: string) => string): Json {
  if (typeof value === 'string') return maskValue(value, mask);
  if (Array.isArray(value)) return spelledList(value.map((_, at) => maskField(value, at, mask)));
  if (!isJsonObject(value)) return value;
  return spelledObject(Object.keys(value).map((key) => [mask(key), maskField(value, key, mask)]));
}

function maskField(container: object, key: string | number, mask: (text: string) => string): Spelled {
  const number = numberAt(container, key);
  return number && mask(number.text) === number.text ? number : maskJson(Reflect.get(container, key), mask);
}

/** A digest names an artifact: where a secret happens to stand within one, it is left, or nobody would find the artifact. */
function maskValue(text: string, mask: (text: string) => string): string {
  const masked = mask(text);
  return DIGEST.test(text) && masked !== MASK ? text : masked;
}

/** A secret that a header says, and what is left of it without `Bearer` and the like: that alone is a secret, too. */
export function withoutScheme(secret: string): string[] {
  return [...new Set([secret, secret.replace(SCHEME, '')])];
}
