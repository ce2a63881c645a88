import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { type CacheContent, CacheFile, type Resolution, stampOf, writeCacheFile } from './cache-file';
import { canCacheCode, installLoader, type Loader } from './loader';
import { keyOf } from './resolver';
import { useCodeCacheInThreads } from './workflow-threads';

/**
 * Keeps what V8 made of our modules, and where they were found, for the next process: a command starts in half the time. The cache is in
 * the build, or, where that cannot be written, with the user's other caches; `THERMIDOR_CODE_CACHE=off` does without.
 *
 * Invariants: 1. nothing fails because of the cache; 2. it holds nothing that a changed file does not replace (`cache-file.ts`).
 */
export function useCodeCache({ places = cachePlaces(), keep = true }: CacheUse = {}): void {
  if (process.env['THERMIDOR_CODE_CACHE'] === 'off' || !canCacheCode()) return;
  const owner = statSync(__filename).uid;
  const own = places.find(canBeWritten);
  // Of a place that others fill, only where there is nothing of one's own yet: what it lacks could never be added.
  const known = (): CacheFile | undefined => firstOf(own === undefined ? places : [own, ...places], (path) => CacheFile.at(path, owner));
  const loader = installLoader(known());
  if (!keep) return;
  useCodeCacheInThreads(places);
  if (own !== undefined) process.on('exit', () => save(loader, known(), own));
}

interface CacheUse {
  /** Files that may hold the cache. The first that can be written is one's own. */
  places?: readonly string[];
  /** @default true: at its end, the process keeps what it has loaded */
  keep?: boolean;
}

/** Flags of V8 and features of the processor are part of the name: what V8 has made for others it does not take. */
function cachePlaces(): string[] {
  const build = dirname(dirname(__dirname));
  const name = `${process.version}-${process.arch}-${cachedDataVersionTag().toString(16)}`;
  const ofUser = userCaches();
  const own = ofUser === undefined ? [] : [join(ofUser, 'thermidor', 'code', encodeURIComponent(build), name)];
  return [join(build, '.code-cache', name), ...own];
}

function userCaches(): string | undefined {
  const { XDG_CACHE_HOME: named } = process.env;
  if (named) return named;
  try {
    return join(homedir(), '.cache');
  } catch {
    // Nobody knows this user: in a container, any number may be one.
    return undefined;
  }
}

function canBeWritten(path: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function save(loader: Loader, before: CacheFile | undefined, place: string): void {
  const fresh = loader.freshModules();
  if (fresh.length === 0) return;
  try {
    writeCacheFile(place, joined(loader, before, fresh));
  } catch {
    // The disk is full, or the folder has gone: the next process loads as this one did.
  }
}

/** What is fresh, and of what was there before all that still holds. */
function joined({ resolver }: Loader, before: CacheFile | undefined, fresh: CacheContent['modules']): CacheContent {
  const modules = new Map(fresh.map((module) => [module.path, module]));
  for (const path of before?.paths() ?? []) {
    const kept = !modules.has(path) && before?.stampOf(path) === stampOf(path) ? before?.read(path) : undefined;
    if (kept) modules.set(path, { ...kept, source: Buffer.from(kept.source), code: Buffer.from(kept.code) });
  }
  const resolutions = new Map<string, Resolution>();
  const found = resolver.fresh();
  const kept = before?.validResolutions() ?? [];
  for (const resolution of [...kept, ...found.resolutions])
    if (modules.has(resolution.path)) resolutions.set(keyOf(resolution), resolution);
  // Of two stamps the one that was taken when the module was found: a change since then makes the next process look again.
  const watched = new Map([...(kept.length === 0 ? [] : (before?.watched ?? [])), ...found.watched]);
  return { modules: [...modules.values()], resolutions: [...resolutions.values()], watched: [...watched] };
}

function firstOf<T, U>(list: readonly T[], find: (item: T) => U | undefined): U | undefined {
  for (const item of list) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
