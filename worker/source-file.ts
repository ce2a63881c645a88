import { accessSync, constants, readFileSync, type Stats, statSync } from 'node:fs';
import { whyNotRead } from '../activities/adapters/plain-file';
import { PIPELINE_LIMIT_BYTES } from '../compiler/sources';
import { decodeText } from '../plan/text/decode-text';

/**
 * Reads a file that a person has written: UTF-8, or UTF-16 with a byte order mark. Undecodable bytes become U+FFFD, which the compiler
 * reports. Fails at once if it is no plain file, or larger than any source may be: a named pipe is waited for, a device never ends.
 */
export function readSourceFile(path: string): string {
  return decodeText(readPlainFile(path)).text;
}

/** The bytes of a file that somebody has named. Fails as `readSourceFile` does. */
export function readPlainFile(path: string): Buffer {
  const found = statSync(path);
  const problem = whyNotRead(found);
  if (problem !== undefined) throw new Error(problem);
  if (found.size > SIZE_LIMIT_BYTES) throw new Error(`it has ${found.size} bytes, and at most ${SIZE_LIMIT_BYTES} are read`);
  return readFileSync(path);
}

/** Twice what the compiler takes, which refuses what is too large at its place, for UTF-16. */
const SIZE_LIMIT_BYTES = 2 * PIPELINE_LIMIT_BYTES;

/**
 * A file that was found in a folder, and that nobody has named: undefined if it is no plain file, is too large, or cannot be read, as a
 * link that leads to itself or a file of somebody else's. It must not stop the work with the others.
 */
export function statIfReadable(path: string): Stats | undefined {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > SIZE_LIMIT_BYTES) return undefined;
    accessSync(path, constants.R_OK);
    return found;
  } catch {
    return undefined;
  }
}
