import { readFileSync } from 'node:fs';
import { decodeText } from '../plan/text/decode-text';

/**
 * Reads a file that a person has written: UTF-8, or UTF-16 with a byte order mark. Undecodable bytes become U+FFFD, which the compiler
 * reports.
 */
export function readSourceFile(path: string): string {
  return decodeText(readFileSync(path)).text;
}
