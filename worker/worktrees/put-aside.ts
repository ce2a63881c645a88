import { problemOf } from '../../activities/adapters/git/failures';
import type { Worktree } from '../../activities/git-model';
import type { WorktreePlace } from '../../activities/worktree-port';
import { asideRef } from '../../plan/run/run-ref';
import { clearOwnLocks } from './clear-locks';
import { type HostRepository, runRefsOf } from './host-repository';
import { ownPlaces, type WorktreeHost } from './worktree-host';
import type { WorktreeRecord } from './worktree-record';

/**
 * Takes unattended changes out of a worktree, which is then as it was saved: they become a commit with a ref of its own, next to those of
 * the run, and removed with them. What git cannot commit, such as a repository within it, is discarded. Killed at any point and called
 * again, it completes. Returns their place, in words.
 */
export async function putAside(
  host: WorktreeHost,
  origin: HostRepository,
  at: WorktreePlace,
  { record, saved }: { record: WorktreeRecord; saved: string },
  signal: AbortSignal,
): Promise<string> {
  const { git } = host;
  const repository = await git.transfers.lent(ownPlaces(host, record).view);
  const worktree = repository && (await openedThere(host, repository, record, signal));
  if (!worktree) return 'it is made again from what was saved';
  await clearOwnLocks(git, worktree);
  const ref = await kept(host, origin, at, { record, worktree }, signal);
  await git.worktrees.moveTo(worktree, saved, { discard: 'changes', branch: record.branch }, signal);
  return ref === undefined ? 'it is discarded: git cannot commit it' : `it is put aside in ${ref}`;
}

async function openedThere(
  { git }: WorktreeHost,
  repository: Worktree['repository'],
  { folder }: WorktreeRecord,
  signal: AbortSignal,
): Promise<Worktree | undefined> {
  try {
    return await git.worktrees.open(repository, folder, signal);
  } catch (error) {
    if (problemOf(error) === 'worktree-missing') return undefined;
    throw error;
  }
}

async function kept(
  host: WorktreeHost,
  origin: HostRepository,
  at: WorktreePlace,
  { record, worktree }: { record: WorktreeRecord; worktree: Worktree },
  signal: AbortSignal,
): Promise<string | undefined> {
  const signature = { name: 'Thermidor', email: 'thermidor@localhost', atMs: Date.now() };
  const message = `${at.slot}: nobody's work\n\nThermidor-Run: ${at.key.workflowId}\n`;
  try {
    const { commit } = await host.git.commits.commitAll(worktree, { message, signature, branch: record.branch }, signal);
    const ref = asideRef(at.key.run, at.slot, commit);
    await runRefsOf(host, origin, worktree.repository, signal).swap({ ref, from: undefined, to: commit });
    return ref;
  } catch (error) {
    if (UNCOMMITTED.includes(problemOf(error) ?? '')) return undefined;
    throw error;
  }
}

const UNCOMMITTED = ['unmerged', 'embedded-repository'];
