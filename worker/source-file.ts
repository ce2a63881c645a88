import { accessSync, constants, readFileSync, type Stats, statSync } from 'node:fs';
import { decodeText } from '../plan/text/decode-text';

/**
 * Reads a file that a person has written: UTF-8, or UTF-16 with a byte order mark. Undecodable bytes become U+FFFD, which the compiler
 * reports.
 */
export function readSourceFile(path: string): string {
  return decodeText(readFileSync(path)).text;
}

/**
 * A file that was found in a folder, and that nobody has named: undefined if it is no plain file, or cannot be read, as a link that leads
 * to itself or a file of somebody else's. It must not stop the work with the others.
 */
export function statIfReadable(path: string): Stats | undefined {
  try {
    const found = statSync(path);
    if (found.isFile()) accessSync(path, constants.R_OK);
    return found.isFile() ? found : undefined;
  } catch {
    return undefined;
  }
}
