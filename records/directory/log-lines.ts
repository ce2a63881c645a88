import { readSync } from 'node:fs';
import type { Json } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';

/** Logs of one JSON text a line, as several processes append to them and crashes tear them. */

/** Ends a torn line so that it can never be read as JSON: no JSON text ends in `~`. */
export const TORN_LINE = '~\n';

/** Whether the file ends in a line that was not finished. */
export function isTorn(fd: number, sizeBytes: number): boolean {
  if (sizeBytes === 0) return false;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, sizeBytes - 1);
  return last.toString() !== '\n';
}

/** Every whole line; the text after the last line break is unfinished, and a torn line does not count. */
export function wholeLines(text: string): Json[] {
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .flatMap(readLine);
}

function readLine(line: string): Json[] {
  const read = line === '' ? undefined : jsonIn(line);
  return read === undefined ? [] : [read];
}
