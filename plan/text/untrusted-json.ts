import type { Json } from './json';
import { isTooDeep } from './json-depth';
import { parseBoxed } from './json-text';
import { numberAt, type Spelled } from './spelled-json';

/** A text below this cannot hold enough long keys to matter. */
const SMALL_CHARACTERS = 4 * 1024 * 1024;
/** V8 finds a longer key of an object by its length alone: many of one length are all compared with each other. */
const LONG_KEY = 16_000;
const MOST_LONG_KEYS = 64;

/**
 * Parses JSON that somebody else wrote. Undefined if it is invalid, or too dangerous to go through: nested deeper than so many levels, or
 * with so many long keys that reading it would take quadratic time.
 */
export function parseUntrustedJson(text: string): Json | undefined {
  return boxedUntrustedJson(text)?.value;
}

/** Parses such JSON, and keeps the spelling of a number that is the whole text. */
export function spelledUntrustedJson(text: string): Spelled | undefined {
  const box = boxedUntrustedJson(text);
  return box && (numberAt(box, 'value') ?? box.value);
}

/**
 * Parses such JSON into a box, which keeps the spelling of a number that is the whole text (`spelled-json.ts`).
 *
 * @param levels @default 200
 */
export function boxedUntrustedJson(text: string, levels?: number): { value: Json } | undefined {
  if (text.length >= SMALL_CHARACTERS && hasManyLongKeys(text)) return undefined;
  try {
    const box = parseBoxed(text);
    return isTooDeep(box.value, levels) ? undefined : box;
  } catch {
    return undefined;
  }
}

const [QUOTE, SLASH, COLON] = [0x22, 0x5c, 0x3a];

/** Whether more texts than that are long and followed by a colon. One pass; the parser refuses what is no JSON. */
export function hasManyLongKeys(text: string): boolean {
  let [found, open, isLong] = [0, -1, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (open !== -1) {
      // The character after a backslash ends nothing.
      if (code === SLASH) at += 1;
      else if (code === QUOTE) {
        isLong = at - open > LONG_KEY;
        open = -1;
      }
    } else if (code === QUOTE) {
      open = at;
      isLong = false;
    } else if (code === COLON && isLong) {
      isLong = false;
      found += 1;
      if (found > MOST_LONG_KEYS) return true;
    }
  }
  return false;
}
