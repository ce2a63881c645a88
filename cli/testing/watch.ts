import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Changes come in bursts: an editor writes, renames and touches. */
const QUIET_MS = 100;
/** The files of which tests are made, leaving out editors' temporary files and reports that are written there. */
const WATCHED = /^[^.].*\.(?:ya?ml|json|lobster|md)$/;

/**
 * Settles once something has changed in one of the folders and it is quiet again, with the names that changed; undefined if the signal
 * ended the wait. A missing folder is not watched.
 */
export async function changeIn(folders: Iterable<string>, signal: AbortSignal): Promise<string[] | undefined> {
  if (signal.aborted) return undefined;
  const changed = new Set<string>();
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => undefined;
  try {
    return await new Promise((resolve) => {
      onAbort = () => resolve(undefined);
      signal.addEventListener('abort', onAbort, { once: true });
      const note = (name: string): void => {
        if (!WATCHED.test(name)) return;
        changed.add(name);
        clearTimeout(timer);
        timer = setTimeout(() => resolve([...changed].sort()), QUIET_MS);
      };
      for (const folder of folders) {
        const watcher = watchFolder(folder, note);
        if (watcher) watchers.push(watcher);
      }
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    for (const watcher of watchers) watcher.close();
  }
}

/** Undefined if the folder cannot be watched, for example because there is none. */
function watchFolder(folder: string, note: (name: string) => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, (_, name) => note(name ?? ''));
    // A deleted folder: its files have been reported already.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** Files in the folders that were written after a moment, in milliseconds since the epoch. */
export function changedSince(folders: Iterable<string>, sinceMs: number): string[] {
  return [...folders].flatMap((folder) =>
    namesIn(folder).filter((name) => {
      const found = WATCHED.test(name) ? statSync(join(folder, name), { throwIfNoEntry: false }) : undefined;
      return found !== undefined && Math.floor(found.mtimeMs) > sinceMs;
    }),
  );
}

function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}
