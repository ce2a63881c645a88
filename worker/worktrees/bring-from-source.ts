import { basename } from 'node:path';
import type { Git, Ref, Repository } from '../../activities/git-port';
import { orUndefined } from './or-undefined';
import { locked, type WorktreeHost } from './worktree-host';

/**
 * From a repository on this host into the clone of it: a commit, which need not be on a branch there, and what else work begins with: the tags and the
 * settings of files, as they are now. Branches are nobody's business.
 */
export async function bringFromSource(
  host: WorktreeHost,
  clone: Repository,
  source: Repository,
  commit: string,
  signal: AbortSignal,
): Promise<void> {
  const { git } = host;
  await locked(host, basename(clone.gitDir), signal, async () => {
    await git.transfers.settings(source, clone, signal);
    const [theirs, ours] = await Promise.all([source, clone].map((one) => git.refs.list(one, TAGS, signal)));
    const tags = JSON.stringify(theirs) !== JSON.stringify(ours);
    if (!tags && (await orUndefined('base-missing', git.repositories.resolve(clone, commit, signal))) !== undefined) return;
    // Says what is wrong with it, where the fetch would only fail.
    await git.repositories.resolve(source, commit, signal);
    // Of a fetch that was killed: nobody else fetches.
    await git.locks.clear(clone, 0);
    if (tags) await forgetTags(git, clone, ours ?? [], theirs ?? [], signal);
    await git.transfers.bring(source, clone, { commit, tags }, signal);
  });
}

export const TAGS = 'refs/tags/';

/** One that is gone would stand for one that is there, or in the way of another. */
async function forgetTags(git: Git, clone: Repository, ours: readonly Ref[], theirs: readonly Ref[], signal: AbortSignal): Promise<void> {
  const there = new Set(theirs.map(({ name }) => name));
  for (const { name, id } of ours) {
    if (!there.has(name)) await git.refs.compareAndSwap(clone, { ref: name, from: id, to: undefined }, signal);
  }
}
