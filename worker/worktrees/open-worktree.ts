import { problemOf } from '../../activities/adapters/git/failures';
import type { OpenWorktree, Setup, WorktreePlace, WorktreePlan } from '../../activities/worktree-port';
import { defined } from '../../plan/defined';
import { clearOwnLocks } from './clear-locks';
import { endWork } from './end-processes';
import { withSoundClone } from './host-clone';
import { type HostRepository, hostRepository } from './host-repository';
import { makeWorktree } from './make-worktree';
import { orUndefined } from './or-undefined';
import { putAside } from './put-aside';
import { changedUnattended, leaveMark, removeMark, type Unattended } from './unattended';
import { environmentOf, workMarkOf } from './worktree-environment';
import { idOf, inSlot, ownPlaces, type WorktreeHost } from './worktree-host';
import type { WorktreeRecord } from './worktree-record';

/**
 * Opens a worktree as it was left, if it is complete; else makes it from the beginning: there is no telling what a killed call has not
 * done.
 */
export async function openWorktree(
  host: WorktreeHost,
  at: WorktreePlace,
  plan: WorktreePlan,
  commit: string,
  setup: Setup,
  signal: AbortSignal,
): Promise<OpenWorktree> {
  return await inSlot(host, idOf(at), signal, async () => {
    return await withSoundClone(host, plan.repository, signal, async () => {
      const origin = await hostRepository(host, plan, signal);
      const before = await host.records.read(idOf(at));
      // Ends processes of a try that was given up.
      if (before) await endWork(before, at);
      const since = before?.ready && at.sharedBy === undefined ? await sinceSaved(host, origin, at, before, signal) : undefined;
      const found = before?.ready ? await foundCommit(host, before, signal) : undefined;
      const { record, commit: head } =
        before && found !== undefined
          ? { record: before, commit: found }
          : await makeWorktree(host, origin, { at, plan, commit, before, setup }, signal);
      const { folder, branch, createdAt } = record;
      const saved = found === undefined ? head : since?.saved;
      // If several work there, a change cannot be attributed.
      if (at.step === undefined || at.sharedBy !== undefined || saved === undefined) await removeMark(host, idOf(at));
      else await leaveMark(host, idOf(at), { commit: saved, step: at.step });
      const [mark, value] = workMarkOf(folder, at.sharedBy);
      const env = { ...(await environmentOf(host, origin, record)), [mark]: value };
      return { folder, env, branch, commit: head, createdAt, ...defined({ unattended: since?.said }) };
    });
  });
}

/** Removes changes that belong to nobody. */
async function sinceSaved(
  host: WorktreeHost,
  origin: HostRepository,
  at: WorktreePlace,
  record: WorktreeRecord,
  signal: AbortSignal,
): Promise<Unattended | undefined> {
  const { folder } = record;
  const found = await changedUnattended(host, idOf(at), { folder, ...defined({ step: at.step }) }, signal);
  if (found?.said === undefined) return found;
  const { saved, said } = found;
  return { saved, said: `${said}; ${await putAside(host, origin, at, { record, saved }, signal)}` };
}

/** The worktree's commit; undefined if it is gone, or if its repository is too damaged to save anything. */
async function foundCommit(host: WorktreeHost, record: WorktreeRecord, signal: AbortSignal): Promise<string | undefined> {
  const { git } = host;
  const { folder, branch } = record;
  const repository = await git.transfers.lent(ownPlaces(host, record).view);
  if (!repository) return undefined;
  const ofBranch = () => orUndefined('base-missing', git.repositories.resolve(repository, `refs/heads/${branch}`, signal));
  try {
    const worktree = await git.worktrees.open(repository, folder, signal);
    await clearOwnLocks(git, worktree);
    return (await git.worktrees.head(worktree, signal)) ?? (await ofBranch());
  } catch (error) {
    if (GONE.includes(problemOf(error) ?? '')) return undefined;
    // An agent that created a repository of its own there may remove it again; until then nothing can be saved.
    if (problemOf(error) === 'embedded-repository') return await ofBranch();
    throw error;
  }
}

const GONE = ['worktree-missing', 'not-a-repository', 'corrupt'];
