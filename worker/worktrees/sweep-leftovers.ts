import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../activities/adapters/git/remove-folder';
import { namesIn, unlessGone } from '../../records/directory/durable-file';
import { PARTIAL, setAside } from './host-clone';
import { refNotes } from './ref-notes';
import { isSource } from './sweep-refs';
import type { Swept } from './swept';
import { locked } from './worktree-host';
import type { ListedRecords } from './worktree-records';
import { worktreesLayout } from './worktrees-layout';

const HOUR_MS = 60 * 60 * 1000;
/** A file gets its name within seconds; git may use a folder for as long as a merge or a clone takes. */
const SCRATCH_FILE_MS = HOUR_MS;
const SCRATCH_FOLDER_MS = 24 * HOUR_MS;
/** A clone is fetched again by who needs it. */
const CLONE_UNUSED_MS = 7 * 24 * HOUR_MS;
/** Git's scratch folders, in the system's. */
const INDEX = 'thermidor-index-';

export interface LeftoverOrder {
  nowMs: number;
  dryRun?: boolean;
}

/** Removes the half-made work of killed workers: files that never got their names, folders of git, clones that never were complete. */
export async function sweepScratchFolders(root: string, order: LeftoverOrder): Promise<Swept[]> {
  const { scratch, clones } = worktreesLayout(root);
  const found = [
    ...(await entriesOf(scratch)),
    ...(await entriesOf(clones)).filter(({ name, isFolder }) => isFolder && name.includes(PARTIAL)),
    ...(await entriesOf(tmpdir(), INDEX)).filter(({ isFolder }) => isFolder),
  ];
  const old = found.filter(({ atMs, isFolder }) => order.nowMs - atMs > (isFolder ? SCRATCH_FOLDER_MS : SCRATCH_FILE_MS));
  return await Promise.all(
    old.map(({ path, isFolder }) =>
      removed('scratch', path, 'a killed worker left it', order, () => (isFolder ? removeFolder(path) : rm(path, { force: true }))),
    ),
  );
}

/** Removes clones from which no worktree is made, and through which no refs are to be removed. If a record cannot be read, all are kept. */
export async function sweepClones(
  root: string,
  { records, unreadable }: ListedRecords,
  order: LeftoverOrder,
  signal: AbortSignal,
): Promise<Swept[]> {
  if (unreadable.length > 0) return [];
  const layout = worktreesLayout(root);
  const host = { root, layout };
  const { clones } = layout;
  const noted = (await refNotes(root).list()).filter((note) => !isSource(note));
  const used = new Set([...records, ...noted].map(({ checkout }) => checkout));
  const swept: Swept[] = [];
  for (const { name, path, isFolder } of await entriesOf(clones)) {
    if (!isFolder || name.includes(PARTIAL) || used.has(path)) continue;
    if ((await namesIn(join(path, 'worktrees'))).length > 0 || !(await isUnused(path, order))) continue;
    swept.push(
      await removed('clone', path, 'no worktree is made from it any more', order, () =>
        locked(host, name, signal, async () => {
          if (await isUnused(path, order)) await setAside(path);
        }),
      ),
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

async function entriesOf(folder: string, prefix = ''): Promise<Entry[]> {
  const found = await Promise.all(
    (await namesIn(folder))
      .filter((name) => name.startsWith(prefix))
      .map(async (name) => {
        const path = join(folder, name);
        const at = await unlessGone(() => stat(path));
        return at && { name, path, isFolder: at.isDirectory(), atMs: at.mtimeMs };
      }),
  );
  return found.filter((entry) => entry !== undefined);
}

/** Every use of a clone dates it anew. */
async function isUnused(clone: string, { nowMs }: LeftoverOrder): Promise<boolean> {
  const found = await unlessGone(() => stat(clone));
  return found !== undefined && nowMs - found.mtimeMs > CLONE_UNUSED_MS;
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
