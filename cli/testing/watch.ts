import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';

/** Changes come in bursts: an editor writes, renames and touches. */
const QUIET_MS = 100;
/** What editors and systems leave beside the files that they write. */
const PASSED_OVER = /^\.|~$|^4913$|\.sw[a-z]$|\.tmp$/;

/**
 * Settles once something has changed in one of the folders and it is quiet again, with the names of what changed; undefined where
 * the signal ended the wait. A folder that is not there is not watched.
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
        if (PASSED_OVER.test(basename(name))) return;
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

function watchFolder(folder: string, note: (name: string) => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, (_, name) => note(name ?? folder));
    // A folder that is taken away is a change like any other.
    watcher.on('error', () => note(folder));
    return watcher;
  } catch {
    return undefined;
  }
}
