import type { Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { errorCode } from '../../../plan/error-code';
import { ThermidorFailure } from '../../../plan/run/failure';
import { type Found, ToolRefusal } from '../../tool-ports';
import { enterSubfolder, fileFailure, inFolder, type OpenFolder, openPath } from './open-folder';
import { isGitFolder, shownFilePath } from './path-within';

/** Many files, and nothing that was written here. */
const NOT_ENTERED = ['node_modules'];
/** The most names of one folder, because they are held to be sorted. */
const MOST_NAMES = 250_000;
/** Names that are read, and entries that are looked at, at once. */
const NAMES_READ = 1024;
const LOOKED_AT = 64;
/** How many names are sorted in one go. */
const RUN_LENGTH = 16 * NAMES_READ;

/** The state of one walk. */
interface Walk {
  /** How many names lead to its beginning. */
  above: number;
  signal: AbortSignal;
}

/**
 * The content of a folder, as deep as `depth` says (1: its own entries), sorted by name, a folder before its content. Vanished entries are
 * skipped; a folder that cannot be entered, or was swapped for a link meanwhile, is reported as skipped.
 *
 * Invariants: 1. entries are examined on demand, some at a time: a caller that stops early pays for no more, and other work gets its turn
 * in between, however many there are; 2. no folder is open when the walk has ended.
 */
export async function* walkFolder(
  folder: string,
  names: readonly string[],
  depth: number,
  { signal, closed }: { signal: AbortSignal; closed?: string | undefined },
): AsyncGenerator<Found> {
  const held = await inFolder(folder, names, { closed }, (there) => enterSubfolder(there, '.', false));
  yield* below(held, names, depth, { above: names.length, signal });
}

/** Closes the folder. */
async function* below(held: OpenFolder, path: readonly string[], left: number, walk: Walk): AsyncGenerator<Found> {
  try {
    for (const names of inOrder(await namesIn(held, path.join('/'), walk.signal), LOOKED_AT)) {
      walk.signal.throwIfAborted();
      const looks = names.map((name) => look(held, name, [...path, name], walk));
      for (const { found, name } of (await Promise.all(looks)).flatMap((one) => one ?? [])) {
        yield found;
        if (found.kind === 'folder' && left > 1) yield* within(held, name, found, left - 1, walk);
      }
    }
  } finally {
    await held.handle.close();
  }
}

/** A folder that cannot be entered or read fails before any of it is returned. */
async function* within(held: OpenFolder, name: string, found: Found, left: number, walk: Walk): AsyncGenerator<Found> {
  try {
    yield* below(await enterSubfolder(held, name, false), found.path.split('/'), left, walk);
  } catch (error) {
    if (!(error instanceof ThermidorFailure || error instanceof ToolRefusal)) throw error;
    yield { ...found, kind: 'skipped' };
  }
}

/** Sorted in parts, with other work in between: sorting a hundred thousand names in one go would block everybody. */
async function namesIn(held: OpenFolder, path: string, signal: AbortSignal): Promise<string[][]> {
  const runs: string[][] = [[]];
  let count = 0;
  try {
    // Closed by leaving the loop.
    for await (const { name } of await opendir(await openPath(held, '.'), { bufferSize: NAMES_READ })) {
      signal.throwIfAborted();
      count += 1;
      if (count > MOST_NAMES)
        throw new ThermidorFailure('tool.failed', `${shownFilePath(path)} contains more than ${MOST_NAMES} names, and is not listed`);
      runs.at(-1)?.push(name);
      if (count % RUN_LENGTH > 0) continue;
      runs.at(-1)?.sort();
      runs.push([]);
    }
    runs.at(-1)?.sort();
    return runs;
  } catch (error) {
    throw fileFailure(error, shownFilePath(path));
  }
}

/** Undefined if it has vanished. */
async function look(
  held: OpenFolder,
  name: string,
  names: readonly string[],
  { above }: Walk,
): Promise<{ found: Found; name: string } | undefined> {
  const place = { path: names.join('/'), below: names.slice(above).join('/') };
  if (isGitFolder(name) || NOT_ENTERED.includes(name)) return { found: { kind: 'skipped', ...place }, name };
  try {
    return { found: foundAs(await lstat(await openPath(held, name)), place), name };
  } catch (error) {
    // A name whose bytes are not UTF-8 exists, but no path reaches it.
    const vanished = ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '') && !name.includes('\ufffd');
    return vanished ? undefined : { found: { kind: 'skipped', ...place }, name };
  }
}

function foundAs(stats: Stats, place: Pick<Found, 'path' | 'below'>): Found {
  if (stats.isFile()) return { kind: 'file', ...place, sizeBytes: stats.size };
  if (stats.isDirectory()) return { kind: 'folder', ...place };
  return { kind: stats.isSymbolicLink() ? 'link' : 'special', ...place };
}

/** Merges several sorted lists into one, in batches. */
export function* inOrder(runs: readonly (readonly string[])[], most: number): Generator<string[]> {
  const taken = runs.map(() => 0);
  for (let batch: string[] = []; ; batch = []) {
    while (batch.length < most) {
      const [name, run] = firstOf(runs, taken);
      if (name === undefined) break;
      batch.push(name);
      taken[run] = (taken[run] ?? 0) + 1;
    }
    if (batch.length === 0) return;
    yield batch;
  }
}

function firstOf(runs: readonly (readonly string[])[], taken: readonly number[]): [name: string | undefined, run: number] {
  let [first, from]: [string | undefined, number] = [undefined, -1];
  for (const [run, names] of runs.entries()) {
    const name = names[taken[run] ?? 0];
    if (name === undefined || (first !== undefined && first <= name)) continue;
    [first, from] = [name, run];
  }
  return [first, from];
}
