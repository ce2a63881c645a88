import { isJsonObject, type JsonObject } from '../../plan/text/json';
import type { Spelled } from '../../plan/text/json-text';
import { parseUntrustedJson, spelledUntrustedJson } from '../../plan/text/untrusted-json';
import { CallbackRefused } from './refusal';

/** Reads data that others sent, without trust. */

/** Throws `CallbackRefused` 400 if it is no JSON object. */
export function readObject(body: Buffer | string): JsonObject {
  const read = parseUntrustedJson(body.toString('utf8'));
  if (read === undefined) throw new CallbackRefused(400, 'the body is not JSON, or nested too deeply');
  if (isJsonObject(read)) return read;
  throw new CallbackRefused(400, 'the body is not a JSON object');
}

/** JSON if the text parses as such, else the text: people write answers both ways. */
export function jsonOrPlainText(text: string): Spelled {
  const value = spelledUntrustedJson(text);
  return value === undefined ? text : value;
}
