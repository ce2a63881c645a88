import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import type { Found } from '../../tool-ports';
import { at, fileFailure, inFolder, type OpenFolder } from './open-folder';
import { isGits, shownPath } from './path-within';

/** Many files, and nothing that was written here. */
const NOT_ENTERED = ['node_modules'];

type Listed = Omit<Found, 'below'>;

/**
 * What is below a folder, as deep as `depth` says (1: what is in it), sorted by name, a folder before what is in it. Each folder is
 * reached anew from the root, so one that was swapped for a link meanwhile is not entered. What vanishes is passed over.
 */
export async function* walkFolder(folder: string, names: readonly string[], depth: number, signal: AbortSignal): AsyncGenerator<Found> {
  const first = await inFolder(folder, names, {}, (held) => listOf(held, names));
  const pending = deeper(first, depth);
  const whole = (found: Listed): Found => ({ ...found, below: found.path.split('/').slice(names.length).join('/') });
  for (let next = pending.pop(); next; next = pending.pop()) {
    signal.throwIfAborted();
    const { found, left } = next;
    yield whole(found);
    if (found.kind !== 'folder' || left <= 1) continue;
    const below = found.path.split('/');
    const listed = await inFolder(folder, below, {}, (held) => listOf(held, below)).catch(() => undefined);
    if (listed) pending.push(...deeper(listed, left - 1));
    else yield whole({ kind: 'skipped', path: found.path });
  }
}

/** The last is the next. */
function deeper(listed: readonly Listed[], left: number): { found: Listed; left: number }[] {
  return listed.map((found) => ({ found, left })).reverse();
}

async function listOf(held: OpenFolder, above: readonly string[]): Promise<Listed[]> {
  try {
    const names = await readdir(await at(held, '.'));
    const found = await Promise.all(names.sort().map((name) => look(held, name, [...above, name].join('/'))));
    return found.filter((one) => one !== undefined);
  } catch (error) {
    throw fileFailure(error, shownPath(above.join('/')));
  }
}

/** Undefined where it has vanished. */
async function look(held: OpenFolder, name: string, path: string): Promise<Listed | undefined> {
  if (isGits(name) || NOT_ENTERED.includes(name)) return { kind: 'skipped', path };
  const stats = await lstat(await at(held, name)).catch(() => undefined);
  return stats && foundAs(stats, path);
}

function foundAs(stats: Stats, path: string): Listed {
  if (stats.isFile()) return { kind: 'file', path, sizeBytes: stats.size };
  if (stats.isDirectory()) return { kind: 'folder', path };
  return { kind: stats.isSymbolicLink() ? 'link' : 'special', path };
}
