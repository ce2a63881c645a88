import { randomUUID } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn, unlessGone } from '../../records/directory/durable-file';
import { refNotes } from './ref-notes';
import type { Swept } from './swept';
import type { ListedRecords } from './worktree-records';
import { worktreesLayout } from './worktrees-layout';

const HOUR_MS = 60 * 60 * 1000;
/** A file gets its name within seconds; a folder of git's may be in use for as long as a merge or a clone takes. */
const SCRATCH_FILE_MS = HOUR_MS;
const SCRATCH_FOLDER_MS = 24 * HOUR_MS;
/** A clone is fetched again by who needs it. */
const CLONE_UNUSED_MS = 7 * 24 * HOUR_MS;
const PARTIAL = '.partial-';

export interface LeftoverOrder {
  nowMs: number;
  dryRun?: boolean;
}

/** What killed workers left half-made: files that never got their names, folders of git, clones that never were whole. */
export async function sweepScratchFolders(root: string, order: LeftoverOrder): Promise<Swept[]> {
  const { scratch, clones } = worktreesLayout(root);
  const found = [
    ...(await entriesOf(scratch)),
    ...(await entriesOf(clones)).filter(({ name, isFolder }) => isFolder && name.includes(PARTIAL)),
  ];
  const old = found.filter(({ atMs, isFolder }) => order.nowMs - atMs > (isFolder ? SCRATCH_FOLDER_MS : SCRATCH_FILE_MS));
  return await Promise.all(old.map(({ path }) => removed('scratch', path, 'a killed worker left it', order, () => removeAll(path))));
}

/** Clones that no worktree is made from, and through which no refs are to be removed. Where a record cannot be read, nobody knows, and all are kept. */
export async function sweepClones(root: string, { records, unreadable }: ListedRecords, order: LeftoverOrder): Promise<Swept[]> {
  if (unreadable.length > 0) return [];
  const { clones } = worktreesLayout(root);
  const used = new Set([...records, ...(await refNotes(root).list())].map(({ checkout }) => checkout));
  const swept: Swept[] = [];
  for (const { name, path, isFolder } of await entriesOf(clones)) {
    if (!isFolder || name.includes(PARTIAL) || used.has(path)) continue;
    if ((await namesIn(join(path, 'worktrees'))).length > 0 || order.nowMs - (await lastUsed(path)) <= CLONE_UNUSED_MS) continue;
    swept.push(
      await removed('clone', path, 'no worktree is made from it any more', order, async () => {
        // Gone for others at once, so that nobody works with a half of it.
        const away = `${path}${PARTIAL}${randomUUID()}`;
        await rename(path, away);
        await removeAll(away);
      }),
    );
  }
  return swept;
}

interface Entry {
  name: string;
  path: string;
  isFolder: boolean;
  atMs: number;
}

async function entriesOf(folder: string): Promise<Entry[]> {
  const found = await Promise.all(
    (await namesIn(folder)).map(async (name) => {
      const path = join(folder, name);
      const at = await unlessGone(() => stat(path));
      return at && { name, path, isFolder: at.isDirectory(), atMs: at.mtimeMs };
    }),
  );
  return found.filter((entry) => entry !== undefined);
}

/** A fetch writes `FETCH_HEAD`. */
async function lastUsed(clone: string): Promise<number> {
  const dates = await Promise.all([clone, join(clone, 'FETCH_HEAD')].map((path) => unlessGone(() => stat(path))));
  return Math.max(...dates.map((found) => found?.mtimeMs ?? 0));
}

async function removeAll(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

async function removed(
  kind: Swept['kind'],
  what: string,
  why: string,
  { dryRun }: LeftoverOrder,
  remove: () => Promise<void>,
): Promise<Swept> {
  if (dryRun) return { kind, what, done: 'removed', why };
  try {
    await remove();
    return { kind, what, done: 'removed', why };
  } catch (error) {
    return { kind, what, done: 'failed', why: String(error) };
  }
}
