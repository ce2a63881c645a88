import { readFileSync } from 'node:fs';
import { decodeText } from '../plan/text/decode-text';

/** A file that a person has written: UTF-8, or UTF-16 with a byte order mark. What cannot be read of it is U+FFFD, which the compiler reports. */
export function readSourceFile(path: string): string {
  return decodeText(readFileSync(path)).text;
}
