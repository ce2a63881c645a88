import type { Json } from '../text/json';
import { parseJson, payloadText } from '../text/json-text';
import { isLongNumber } from '../text/numbers';
import { remembersNumbers, setNumber, spellingAt } from '../text/spelled-json';

/**
 * JSON in payloads of Temporal, with numbers as they were written. One that no double holds is sent as text, because other programs read
 * these payloads, too; the metadata says which, so that it becomes a number again on the other side.
 */
export interface JsonPayload {
  metadata?: Record<string, Uint8Array> | null;
  data?: Uint8Array | null;
}

const ENCODING = 'encoding';
const JSON_ENCODING = 'json/plain';
const LONG_NUMBERS = 'thermidor-long-numbers';

type Path = (string | number)[];

export function isJsonPayload({ metadata }: JsonPayload): boolean {
  const encoding = metadata?.[ENCODING];
  return encoding !== undefined && new TextDecoder().decode(encoding) === JSON_ENCODING;
}

/** The SDK's payload of a value, with its numbers as they were written. */
export function withNumbers<P extends JsonPayload>(payload: P, value: unknown): P {
  if (!isJsonPayload(payload) || !remembersNumbers(value)) return payload;
  const paths = longNumbersIn(value, []);
  const long = paths.length > 0 ? { [LONG_NUMBERS]: bytesOf(JSON.stringify(paths)) } : {};
  return { ...payload, metadata: { ...payload.metadata, ...long }, data: bytesOf(payloadText(value)) };
}

/** Throws if it is not JSON. Anybody may have written the paths: a value that is no long number stays unchanged. */
export function readJsonPayload({ metadata, data }: JsonPayload): Json {
  const value = parseJson(new TextDecoder().decode(data ?? undefined));
  const long = metadata?.[LONG_NUMBERS];
  const paths: unknown = long === undefined ? [] : parseJson(new TextDecoder().decode(long));
  for (const path of Array.isArray(paths) ? paths : []) if (isPath(path)) restore(value, path);
  return value;
}

function restore(value: Json, path: Path): void {
  let here: unknown = value;
  for (const [at, key] of path.entries()) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return;
    const inner: unknown = Reflect.get(here, key);
    if (at === path.length - 1 && typeof inner === 'string' && isLongNumber(inner)) setNumber(here, key, inner);
    here = inner;
  }
}

function longNumbersIn(container: unknown, within: Path): Path[] {
  if (typeof container !== 'object' || container === null || !remembersNumbers(container)) return [];
  const keys: Path = Array.isArray(container) ? [...container.keys()] : Object.keys(container);
  return keys.flatMap((key) => {
    const path = [...within, key];
    const value: unknown = Reflect.get(container, key);
    return typeof value === 'string' && spellingAt(container, key) !== undefined ? [path] : longNumbersIn(value, path);
  });
}

function isPath(path: unknown): path is Path {
  return Array.isArray(path) && path.every((key) => typeof key === 'string' || typeof key === 'number');
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
