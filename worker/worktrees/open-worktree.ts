import { problemOf } from '../../activities/adapters/git/failures';
import type { OpenWorktree, Setup, WorktreePlace, WorktreePlan } from '../../activities/worktree-port';
import { clearOwnLocks } from './clear-locks';
import { type HostRepository, hostRepository } from './host-repository';
import { headOf } from './kept-worktree';
import { makeWorktree } from './make-worktree';
import { environmentOf } from './worktree-environment';
import { idOf, inSlot, type WorktreeHost } from './worktree-host';
import type { WorktreeRecord } from './worktree-record';

/** As it was left, where it is whole; else made, from the beginning: the half of a call that was killed tells nobody what it lacks. */
export async function openWorktree(
  host: WorktreeHost,
  at: WorktreePlace,
  plan: WorktreePlan,
  commit: string,
  setup: Setup,
  signal: AbortSignal,
): Promise<OpenWorktree> {
  return await inSlot(host, idOf(at), signal, async () => {
    const origin = await hostRepository(host, plan, signal);
    const before = await host.records.read(idOf(at));
    const found = before?.ready ? await foundCommit(host, origin, before, signal) : undefined;
    const { record, commit: head } =
      before && found !== undefined
        ? { record: before, commit: found }
        : await makeWorktree(host, origin, { at, plan, commit, before, setup }, signal);
    const { folder, branch, createdAt } = record;
    return { folder, env: await environmentOf(host, origin, record), branch, commit: head, createdAt };
  });
}

/** What the worktree is at; undefined where it is gone. */
async function foundCommit(
  { git }: WorktreeHost,
  { repository }: HostRepository,
  { folder, branch }: WorktreeRecord,
  signal: AbortSignal,
): Promise<string | undefined> {
  const ofBranch = () => git.refs.read(repository, `refs/heads/${branch}`, signal);
  try {
    const worktree = await git.worktrees.open(repository, folder, signal);
    await clearOwnLocks(git, worktree);
    return (await headOf(git, worktree, signal)) ?? (await ofBranch());
  } catch (error) {
    if (problemOf(error) === 'worktree-missing') return undefined;
    // An agent that began a repository of its own there may take it away again; until then nothing can be saved.
    if (problemOf(error) === 'embedded-repository') return await ofBranch();
    throw error;
  }
}
