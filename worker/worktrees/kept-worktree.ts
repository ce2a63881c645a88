import { join } from 'node:path';
import { problemOf } from '../../activities/adapters/git/failures';
import { removeFolder } from '../../activities/adapters/git/remove-folder';
import type { Signature, Worktree } from '../../activities/git-model';
import type { WorktreePlace, WorktreePlan } from '../../activities/worktree-port';
import { clearOwnLocks, clearRunLocks } from './clear-locks';
import { endWork } from './end-processes';
import { type HostRepository, hostRepository, runRefsOf } from './host-repository';
import { orUndefined } from './or-undefined';
import { push } from './run-refs';
import { leaveMark } from './unattended';
import { idOf, inSlot, ownPlaces, takenAway, type WorktreeHost, worktreeMissing } from './worktree-host';
import type { WorktreeRecord } from './worktree-record';

/** Calls for an existing worktree, which create nothing. */

interface Kept {
  origin: HostRepository;
  record: WorktreeRecord;
  worktree: Worktree;
}

/** Fails with `worktree-missing`, `embedded-repository`, and with `store.unavailable` if the host has lost its record. */
export async function keptWorktree(host: WorktreeHost, at: WorktreePlace, plan: WorktreePlan, signal: AbortSignal): Promise<Kept> {
  const record = await host.records.read(idOf(at));
  if (!record?.ready) throw takenAway(host.root, `there is no record of the worktree of ${at.slot}`);
  const origin = await hostRepository(host, plan, signal);
  const repository = await host.git.transfers.lent(ownPlaces(host, idOf(at)).view);
  if (!repository) throw worktreeMissing(at);
  return { origin, record, worktree: await host.git.worktrees.open(repository, record.folder, signal) };
}

async function pushed(
  host: WorktreeHost,
  at: WorktreePlace,
  { origin, worktree }: Kept,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await push(runRefsOf(host, origin, worktree.repository, signal), at, commit);
  } catch (error) {
    // It is tried again, and by then the remains of a killed git are gone.
    if (origin.source && problemOf(error) === 'locked') await clearRunLocks(host.git, origin.source);
    throw error;
  }
}

export async function saveWorktree(
  host: WorktreeHost,
  at: WorktreePlace,
  plan: WorktreePlan,
  { message, signature }: { message: string; signature: Signature },
  signal: AbortSignal,
): Promise<string> {
  return await inSlot(host, idOf(at), signal, async () => {
    const kept = await keptWorktree(host, at, plan, signal);
    const { record, worktree } = kept;
    await endWork(record, at);
    await clearOwnLocks(host.git, worktree);
    const { commit } = await host.git.commits.commitAll(worktree, { message, signature, branch: record.branch }, signal);
    await pushed(host, at, kept, commit, signal);
    if (at.sharedBy === undefined) await leaveMark(host, idOf(at), { commit });
    return commit;
  });
}

/** Somebody is at work there: nothing but the ref moves. */
export async function pushWorktree(host: WorktreeHost, at: WorktreePlace, plan: WorktreePlan, signal: AbortSignal): Promise<string> {
  return await inSlot(host, idOf(at), signal, async () => {
    const kept = await keptWorktree(host, at, plan, signal);
    const head = await host.git.worktrees.head(kept.worktree, signal);
    if (head === undefined) throw worktreeMissing(at);
    await pushed(host, at, kept, head, signal);
    return head;
  });
}

export async function restoreWorktree(
  host: WorktreeHost,
  at: WorktreePlace,
  plan: WorktreePlan,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  await inSlot(host, idOf(at), signal, async () => {
    const kept = await orUndefined('embedded-repository', keptWorktree(host, at, plan, signal));
    const { record, worktree } = kept ?? (await withoutEmbedded(host, at, plan, signal));
    await endWork(record, at);
    await clearOwnLocks(host.git, worktree);
    await host.git.worktrees.moveTo(worktree, commit, { discard: 'changes', branch: record.branch }, signal);
  });
}

/** A repository that was begun in the place of the worktree is a change like others. */
async function withoutEmbedded(host: WorktreeHost, at: WorktreePlace, plan: WorktreePlan, signal: AbortSignal): Promise<Kept> {
  const record = await host.records.read(idOf(at));
  if (record) await removeFolder(join(record.folder, '.git'));
  return await keptWorktree(host, at, plan, signal);
}
