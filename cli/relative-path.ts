import { isAbsolute, relative } from 'node:path';

/** A file as shown: relative to the current folder if it is in it. */
export function relativePath(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near.startsWith('..') || isAbsolute(near) ? path : near.replaceAll('\\', '/');
}
