import { join } from 'node:path';
import type { Repository, Worktree } from '../../activities/git-model';
import type { Git } from '../../activities/git-port';

/** What a git that was killed has left in a worktree that nobody else works in, and in the repository that is its own. */
export async function clearOwnLocks({ locks }: Git, { repository }: Worktree): Promise<void> {
  await locks.clear(repository, 0);
}

/** Nobody holds one for that long. */
const HELD_MS = 5000;

/** Of what runs make in a repository, and of nothing that a person works on there. */
export async function clearRunLocks({ locks }: Git, repository: Repository): Promise<void> {
  for (const name of ['refs/thermidor', 'packed-refs.lock']) {
    await locks.clear(repository, HELD_MS, join(repository.gitDir, name));
  }
}

/** What a git that was killed has left of the index of the checkout, and of those of worktrees: locks that no process holds. */
export async function clearIndexLock({ locks }: Git, repository: Repository): Promise<void> {
  await locks.clear(repository, HELD_MS);
}
