import { join } from 'node:path';
import type { Repository, Worktree } from '../../activities/git-model';
import type { Git } from '../../activities/git-port';

/** Clears the locks of a killed git in a worktree that nobody else works in, and in the repository of its own. */
export async function clearOwnLocks({ locks }: Git, { repository }: Worktree): Promise<void> {
  await locks.clear(repository, 0);
}

/** No process holds a lock for that long. */
const HELD_MS = 5000;

/** Clears locks of what runs make in a repository, and none of a person's. */
export async function clearRunLocks({ locks }: Git, repository: Repository): Promise<void> {
  for (const name of ['refs/thermidor', 'packed-refs.lock']) {
    await locks.clear(repository, HELD_MS, join(repository.gitDir, name));
  }
}

/** Clears the index locks of a killed git in the checkout and in worktrees: those that no process holds. */
export async function clearIndexLock({ locks }: Git, repository: Repository): Promise<void> {
  await locks.clear(repository, HELD_MS);
}
