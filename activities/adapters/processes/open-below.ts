import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * Whether a process has something below a folder open: works there, runs a program from there, or holds or has mapped a file. Nothing is
 * known of another user's process.
 *
 * @param folder its real path: that is what `/proc` has
 */
export function hasOpenBelow(pid: number, folder: string): boolean {
  const isBelow = (path: string): boolean => path === folder || path.startsWith(`${folder}${sep}`);
  const own = `/proc/${pid}`;
  return (
    [`${own}/cwd`, `${own}/exe`].some((link) => isBelow(target(link))) ||
    orNothing(() => readdirSync(`${own}/fd`), []).some((fd) => isBelow(target(`${own}/fd/${fd}`))) ||
    orNothing(() => readFileSync(`${own}/maps`, 'utf8'), '')
      .split('\n')
      .some((line) => isBelow(line.slice(line.indexOf('/'))))
  );
}

function target(link: string): string {
  return orNothing(() => readlinkSync(link), '');
}

/** It may be gone, or another user's. */
function orNothing<T>(read: () => T, nothing: T): T {
  try {
    return read();
  } catch {
    return nothing;
  }
}
