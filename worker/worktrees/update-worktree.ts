import { repositoryFailure } from '../../activities/adapters/git/failures';
import type { ObjectId, Repository, Worktree } from '../../activities/git-model';
import type { WorktreePlace, WorktreePlan, WorktreeUpdate } from '../../activities/worktree-port';
import { clearOwnLocks } from './clear-locks';
import { bringCommits } from './host-repository';
import { keptWorktree } from './kept-worktree';
import { idOf, inSlot, type WorktreeHost } from './worktree-host';

/**
 * Invariants: 1. what was in the worktree is in the new commit, whatever strategy the merge queue has later; 2. the worktree moves in one
 * step, from one commit to the other, so a call that was killed begins again or finds it done; 3. if others work there, nothing of theirs
 * is discarded.
 */
export async function updateWorktree(
  host: WorktreeHost,
  at: WorktreePlace,
  plan: WorktreePlan,
  update: WorktreeUpdate,
  signal: AbortSignal,
): Promise<void> {
  await inSlot(host, idOf(at), signal, async () => {
    const { git } = host;
    const { origin, record, worktree } = await keptWorktree(host, at, plan, signal);
    const { repository } = worktree;
    const { branch } = record;
    await clearOwnLocks(git, worktree);
    await bringCommits(host, origin, [update.onto], signal);
    const head = await git.worktrees.head(worktree, signal);
    // If the branch has no commit yet, the content goes to its own branch first.
    if (head !== undefined && (await git.commits.isAncestor(repository, update.onto, head, signal))) return;
    if (at.sharedBy !== undefined) return await pullAmongOthers(host, worktree, { ...update, branch }, signal);
    const { commit: candidate } = await git.commits.commitAll(worktree, { ...update, branch }, signal);
    const commit = await onTop(host, repository, update, candidate, signal);
    if (commit !== undefined) await git.worktrees.moveTo(worktree, commit, { discard: 'changes', branch }, signal);
  });
}

/**
 * Rebases. A rebase leaves out merges, and with them their resolutions: it counts if it gives the same files. Undefined: there is no common
 * history.
 */
async function onTop(
  { git }: WorktreeHost,
  repository: Repository,
  update: WorktreeUpdate,
  candidate: ObjectId,
  signal: AbortSignal,
): Promise<ObjectId | undefined> {
  const fork = await git.commits.fork(repository, update.onto, candidate, signal);
  const request = { ...update, candidate, fork };
  const whole = await git.merges.merge(repository, { ...request, strategy: 'squash', markConflicts: true }, signal);
  if (whole.kind !== 'merged') return whole.kind === 'unrelated' ? undefined : whole.commit;
  const rebased = await git.merges.merge(repository, { ...request, strategy: 'rebase' }, signal);
  return rebased.kind === 'merged' && rebased.tree === whole.tree ? rebased.commit : whole.commit;
}

/** Each try includes what the others have written since. */
const TRIES = 5;

/**
 * Merges a commit into a worktree in which others work, as a person pulls in a shared folder: everything there is committed, and only files
 * that nobody has changed since are written. A conflict is in the files, for all of them. Its history stays, because candidates of others
 * are in it. Fails with `locked`, which is tried again, if they write faster than that.
 */
export async function pullAmongOthers(
  { git }: Pick<WorktreeHost, 'git'>,
  worktree: Worktree,
  { branch, ...update }: WorktreeUpdate & { branch: string },
  signal: AbortSignal,
): Promise<void> {
  const { repository, path } = worktree;
  for (let left = TRIES; left > 0; left -= 1) {
    const { commit: candidate } = await git.commits.commitAll(worktree, { ...update, branch }, signal);
    const merged = await git.merges.merge(repository, { ...update, candidate, strategy: 'merge', markConflicts: true }, signal);
    // Unrelated histories stay apart: the merge queue reports them.
    if (merged.kind === 'unrelated' || merged.commit === undefined) return;
    const moved = await git.refs.advance(repository, { ref: `refs/heads/${branch}`, from: candidate, to: merged.commit }, signal);
    if (moved.kind === 'moved' || moved.kind === 'already') return;
  }
  throw repositoryFailure('locked', `the files of ${path} change faster than ${update.onto.slice(0, 12)} can be merged there`);
}
