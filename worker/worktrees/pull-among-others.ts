import { repositoryFailure } from '../../activities/adapters/git/failures';
import type { Worktree } from '../../activities/git-model';
import type { WorktreeUpdate } from '../../activities/worktree-port';
import type { WorktreeHost } from './worktree-host';

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
