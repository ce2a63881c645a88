import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Amount, NOTHING, plus } from '../old-content';
import type { Records } from '../records';
import { unlessGone } from './durable-file';
import { textOfName } from './file-name';
import { stateLayout } from './state-layout';

/**
 * Removes folders of this host that steps worked in, of runs that the store has no longer, once they are so old. `limitMs`: absent, nothing
 * is removed.
 */
export async function pruneWorkFolders(
  stateDir: string,
  { runs }: Pick<Records, 'runs'>,
  limitMs: number | undefined,
  dryRun: boolean,
): Promise<Amount> {
  const { work } = stateLayout(stateDir);
  let removed = NOTHING;
  for (const name of limitMs === undefined ? [] : ((await unlessGone(() => readdir(work))) ?? [])) {
    const workflowId = textOfName(name);
    const folder = await unlessGone(() => stat(join(work, name)));
    if (workflowId === undefined || !folder || Date.now() - folder.mtimeMs < (limitMs ?? 0)) continue;
    if ((await runs.runsOf(workflowId)).length > 0) continue;
    removed = plus(removed, { count: 1, bytes: await sizeOf(join(work, name)) });
    if (!dryRun) await rm(join(work, name), { recursive: true, force: true });
  }
  return removed;
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of (await unlessGone(() => readdir(folder, { withFileTypes: true, recursive: true }))) ?? []) {
    if (entry.isFile()) bytes += (await unlessGone(() => stat(join(entry.parentPath, entry.name))))?.size ?? 0;
  }
  return bytes;
}
