import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder and everything below it that the group or others can read, write or enter, without links, which have no mode of their own. */
export function openPaths(folder: string): string[] {
  const below = readdirSync(folder, { recursive: true }) as string[];
  return [folder, ...below.map((path) => join(folder, path))].filter((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
  });
}
