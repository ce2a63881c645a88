import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { orAbsent } from '../../activities/adapters/git/absent';
import { removeFolder } from '../../activities/adapters/git/remove-folder';
import type { Setup, WorktreePlace, WorktreePlan } from '../../activities/worktree-port';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ClosedWorktree } from '../../plan/run/worktree';
import { endAll } from './end-processes';
import { hostRepository } from './host-repository';
import { changedUnattended, removeMark } from './unattended';
import { environmentOf } from './worktree-environment';
import { idOf, inSlot, ownPlaces, type WorktreeHost } from './worktree-host';
import type { WorktreeRecord } from './worktree-record';

/** Even if a teardown fails, everything is removed that is not to be kept; its failure is reported afterwards. */
export async function closeWorktree(
  host: WorktreeHost,
  at: WorktreePlace,
  plan: WorktreePlan,
  teardown: Setup | undefined,
  signal: AbortSignal,
): Promise<ClosedWorktree> {
  return await inSlot(host, idOf(at), signal, async () => {
    const record = await host.records.read(idOf(at));
    if (!record) return {};
    const unattended = record.ready ? (await changedUnattended(host, idOf(at), record, signal))?.said : undefined;
    await removeMark(host, idOf(at));
    const failure = record.ready && teardown ? await tornDown(host, record, plan, teardown, signal) : undefined;
    signal.throwIfAborted();
    const isKept = plan.keep || (plan.spares === true && unattended !== undefined);
    // The janitor keeps it, too.
    if (isKept && !record.keep) await host.records.write({ ...record, keep: true });
    if (isKept) await endAll(record);
    else await removeWorktree(host, record);
    if (failure) throw failure.error;
    return defined({ unattended, isKept: isKept || undefined });
  });
}

async function tornDown(
  host: WorktreeHost,
  record: WorktreeRecord,
  plan: WorktreePlan,
  teardown: Setup,
  signal: AbortSignal,
): Promise<{ error: unknown } | undefined> {
  if (!(await orAbsent(realpath(record.folder)))) return undefined;
  try {
    await teardown(record.folder, await environmentOf(host, await hostRepository(host, plan, signal), record));
    return undefined;
  } catch (error) {
    return { error };
  }
}

/**
 * Removes a worktree with everything it has on this host, however little is left; the run's refs stay. Must be called within its slot.
 * Invariants: 1. nothing outside of the folder of worktrees is removed, whatever a record says; 2. the record is removed last, so that the
 * remains of a killed call are found.
 */
export async function removeWorktree(
  { git, records, layout }: Pick<WorktreeHost, 'git' | 'records' | 'layout'>,
  record: WorktreeRecord,
): Promise<void> {
  const { folder } = record;
  const trees = (await orAbsent(realpath(layout.trees))) ?? layout.trees;
  if (dirname(folder) !== trees || resolve(folder) !== folder) {
    throw new ThermidorFailure(
      'store.unavailable',
      `the record of the worktree ${folder} names a folder outside of ${trees}; remove what is left by hand`,
      { path: folder },
    );
  }
  await endAll(record);
  await removeFolder(folder);
  await git.transfers.giveBack(ownPlaces({ layout }, record));
  await records.remove(record);
}
