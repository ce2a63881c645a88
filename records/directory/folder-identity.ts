import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { ThermidorFailure } from '../../plan/run/failure';
import { createFile, readIfThere } from './durable-file';
import { keepOutOfGit } from './state-folder';
import { scratchOf } from './state-layout';

/**
 * A folder of the store as this process knows it. Somebody may delete it under a working process: created again it would be empty, and an
 * empty ledger says that nothing has been done and paid for yet.
 *
 * Invariants: 1. the folder has a mark, a file with an id of its own, from the first write on; 2. once this process has read the mark,
 * every use finds that mark, in the folder itself or in a copy put in its place, or fails with `store.unavailable`; 3. a folder that this
 * process knows is never created again. A folder that it never saw is not checked.
 */
const MARK = '.id';

interface Known {
  id: string;
  /** Device, inode and time of the mark when it was read: while they are the same, so is the folder. */
  seenAs: string;
}

/** Known folders, for all stores of this process. */
const known = new Map<string, Known>();

/** Called before a write: marks a new folder, one at the top of a state folder. */
export async function markFolder(folder: string): Promise<void> {
  if (checkFolderIdentity(folder)) return;
  const path = join(folder, MARK);
  await createFile({ path, scratch: scratchOf(folder) }, randomUUID());
  keepOutOfGit(dirname(folder));
  const id = (await readIfThere(path))?.toString('utf8');
  const seenAs = markAt(folder);
  if (id !== undefined && seenAs !== undefined) known.set(resolve(folder), { id, seenAs });
}

/** Whether the folder is known, and unchanged. Fails with `store.unavailable` if it is gone, or if another one is in its place. */
export function checkFolderIdentity(folder: string): boolean {
  const key = resolve(folder);
  const before = known.get(key);
  const seenAs = markAt(folder);
  if (before !== undefined && before.seenAs === seenAs) return true;
  const id = seenAs === undefined ? undefined : readFileSync(join(folder, MARK), 'utf8');
  if (before !== undefined && before.id !== id) throw lost(folder, id === undefined ? 'LOST' : 'REPLACED');
  if (id === undefined || seenAs === undefined) return false;
  known.set(key, { id, seenAs });
  return true;
}

function markAt(folder: string): string | undefined {
  try {
    const { dev, ino, mtimeMs } = statSync(join(folder, MARK));
    return `${dev} ${ino} ${mtimeMs}`;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function lost(folder: string, reason: 'LOST' | 'REPLACED'): ThermidorFailure {
  const what = reason === 'LOST' ? 'was deleted or moved away while it was in use' : 'was replaced by another while it was in use';
  return new ThermidorFailure('store.unavailable', `the folder ${folder} ${what}; put it back, or stop the processes that use it`, {
    path: folder,
    reason,
  });
}
