import { existsSync } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Git, Repository } from '../../activities/git-port';
import { ThermidorFailure } from '../../plan/run/failure';
import type { WorktreeRecord } from './worktree-record';
import type { WorktreeRecords } from './worktree-records';
import { worktreesLayout } from './worktrees-layout';

/** What the branches of worktrees begin with. */
export const BRANCHES = 'thermidor/';

/**
 * Removes a worktree with all that it has of the host: folder, branch, and last its record, and with that its ports. Stopped in the middle it is
 * called again. What was pushed to the run's ref stays. Nothing but a folder of the host's own and a branch of ours is ever removed, whatever a record says.
 */
export async function discardWorktree(
  { git, root, records }: { git: Git; root: string; records: WorktreeRecords },
  record: WorktreeRecord,
  signal: AbortSignal,
): Promise<void> {
  const { trees } = worktreesLayout(root);
  const folder = await folderOf(record);
  if (dirname(folder) !== (await real(trees))) {
    throw new ThermidorFailure('store.unavailable', `${record.folder} is not in ${trees}: its record is wrong, and nothing is removed`);
  }
  if (existsSync(record.checkout)) {
    const repository = await git.repositories.open(record.checkout, signal);
    await git.worktrees.remove(repository, folder, signal);
    await removeBranch(git, repository, record.branch, signal);
  }
  // What somebody put in its place, and what no repository knows.
  await rm(folder, { recursive: true, force: true });
  await records.remove(record);
}

async function removeBranch(git: Git, repository: Repository, branch: string, signal: AbortSignal): Promise<void> {
  if (!branch.startsWith(BRANCHES)) return;
  const ref = `refs/heads/${branch}`;
  const at = await git.refs.read(repository, ref, signal);
  if (at === undefined) return;
  const swapped = await git.refs.compareAndSwap(repository, { ref, from: at, to: undefined }, signal);
  if (swapped.kind === 'stale') throw new ThermidorFailure('repository.locked', `the branch ${branch} moved while it was removed`);
}

/** Its last part may be a link that somebody put there: what it leads to is not meant. */
async function folderOf({ folder }: WorktreeRecord): Promise<string> {
  return join(await real(dirname(folder)), basename(folder));
}

async function real(folder: string): Promise<string> {
  return existsSync(folder) ? await realpath(folder) : folder;
}
