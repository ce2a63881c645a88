import { isUtf8 } from 'node:buffer';
import type { GitPath } from '../../git-model';

/** The parts of a git listing with `-z`: each ends in a NUL. */
export function nulParts(listing: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (let end = listing.indexOf(0); end >= 0; end = listing.indexOf(0, from)) {
    parts.push(listing.subarray(from, end));
    from = end + 1;
  }
  return parts;
}

const NEEDS_QUOTES = /[\p{Cc}"\\]/u;
const ESCAPES = new Map([
  [7, 'a'],
  [8, 'b'],
  [9, 't'],
  [10, 'n'],
  [11, 'v'],
  [12, 'f'],
  [13, 'r'],
  [34, '"'],
  [92, '\\'],
]);

/**
 * A path as text, for messages and JSON: itself, or in quotes as git quotes it (`core.quotePath=false`) if it has control characters,
 * quotes, or bytes that are not UTF-8.
 */
export function pathText(path: GitPath): string {
  const text = path.toString('utf8');
  if (isUtf8(path) && !NEEDS_QUOTES.test(text)) return text;
  const plain = isUtf8(path);
  const quoted = Array.from(path, (byte) => {
    const letter = ESCAPES.get(byte);
    if (letter !== undefined) return `\\${letter}`;
    if (byte < 0x20 || byte === 0x7f || (byte > 0x7f && !plain)) return `\\${byte.toString(8).padStart(3, '0')}`;
    return String.fromCharCode(byte);
  }).join('');
  return `"${plain ? Buffer.from(quoted, 'latin1').toString('utf8') : quoted}"`;
}
