import type { Stats } from 'node:fs';

/** Why a file is not read: a named pipe is waited for, and a device never ends. Undefined if it is a plain file. */
export function whyNotRead(found: Stats): string | undefined {
  return found.isFile() ? undefined : `it is ${kindOf(found)}, and only a plain file is read`;
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
