import { join } from 'node:path';
import { removeFolder } from '../../activities/adapters/git/remove-folder';
import type { Git, Signature, Worktree } from '../../activities/git-port';
import type { WorktreePlace, WorktreePlan } from '../../activities/worktree-port';
import { clearOwnLocks } from './clear-locks';
import { type HostRepository, hostRepository, runRefsOf } from './host-repository';
import { orUndefined } from './or-undefined';
import { push } from './run-refs';
import { idOf, inSlot, type WorktreeHost, worktreeMissing } from './worktree-host';
import type { WorktreeRecord } from './worktree-record';

/** Calls for a worktree that is there: they make nothing. */

interface Kept {
  origin: HostRepository;
  record: WorktreeRecord;
  worktree: Worktree;
}

/** Fails with `worktree-missing`, `embedded-repository`. */
async function keptWorktree(host: WorktreeHost, at: WorktreePlace, plan: WorktreePlan, signal: AbortSignal): Promise<Kept> {
  const record = await host.records.read(idOf(at));
  if (!record?.ready) throw worktreeMissing(at);
  const origin = await hostRepository(host, plan, signal);
  return { origin, record, worktree: await host.git.worktrees.open(origin.repository, record.folder, signal) };
}

export async function saveWorktree(
  host: WorktreeHost,
  at: WorktreePlace,
  plan: WorktreePlan,
  { message, signature }: { message: string; signature: Signature },
  signal: AbortSignal,
): Promise<string> {
  return await inSlot(host, idOf(at), signal, async () => {
    const { origin, record, worktree } = await keptWorktree(host, at, plan, signal);
    await clearOwnLocks(host.git, worktree);
    const { commit } = await host.git.commits.commitAll(worktree, { message, signature, branch: record.branch }, signal);
    await push(runRefsOf(host, origin, signal), at, commit);
    return commit;
  });
}

/** Somebody is at work there: nothing but the ref moves. */
export async function pushWorktree(host: WorktreeHost, at: WorktreePlace, plan: WorktreePlan, signal: AbortSignal): Promise<string> {
  return await inSlot(host, idOf(at), signal, async () => {
    const { origin, worktree } = await keptWorktree(host, at, plan, signal);
    const head = await headOf(host.git, worktree, signal);
    if (head === undefined) throw worktreeMissing(at);
    await push(runRefsOf(host, origin, signal), at, head);
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

/** Undefined where it is on a branch without commits. */
export async function headOf(git: Git, worktree: Worktree, signal: AbortSignal): Promise<string | undefined> {
  const listed = await git.worktrees.list(worktree.repository, signal);
  return listed.find(({ path }) => path.toString('utf8') === worktree.path)?.head;
}
