import { basename } from 'node:path';
import type { Ref, Repository } from '../../activities/git-model';
import type { Git } from '../../activities/git-port';
import { locked, type WorktreeHost } from './worktree-host';

export interface Brought {
  commits: readonly string[];
  /** Tags as they are now: work in a worktree begins with them, a merge does not ask for any. */
  tags: boolean;
}

/**
 * From a repository on this host into the clone of it: commits, which need not be on a branch there, and what else work begins with: the settings of files, as
 * they are now, and the tags. Branches are nobody's business.
 */
export async function bringFromSource(
  host: WorktreeHost,
  clone: Repository,
  source: Repository,
  { commits, tags }: Brought,
  signal: AbortSignal,
): Promise<void> {
  const { git } = host;
  await locked(host, basename(clone.gitDir), signal, async () => {
    await git.transfers.settings(source, clone, signal);
    const changed = tags ? await changedTags(git, clone, source, signal) : undefined;
    const wanted = await git.commits.missing(clone, [...new Set(commits)], signal);
    if (!changed && wanted.length === 0) return;
    // Says what is wrong with one, where the fetch would only fail.
    const [gone] = await git.commits.missing(source, wanted, signal);
    if (gone !== undefined) await git.repositories.resolve(source, gone, signal);
    // Of a fetch that was killed: nobody else fetches.
    await git.locks.clear(clone, 0);
    if (changed) await forgetTags(git, clone, changed, signal);
    await git.transfers.bring(source, clone, { commits: wanted, tags: changed !== undefined }, signal);
  });
}

export const TAGS = 'refs/tags/';

interface Tags {
  ours: readonly Ref[];
  theirs: readonly Ref[];
}

async function changedTags(git: Git, clone: Repository, source: Repository, signal: AbortSignal): Promise<Tags | undefined> {
  const [theirs = [], ours = []] = await Promise.all([source, clone].map((one) => git.refs.list(one, TAGS, signal)));
  return JSON.stringify(theirs) === JSON.stringify(ours) ? undefined : { ours, theirs };
}

/** One that is gone would stand for one that is there, or in the way of another. */
async function forgetTags(git: Git, clone: Repository, { ours, theirs }: Tags, signal: AbortSignal): Promise<void> {
  const there = new Set(theirs.map(({ name }) => name));
  for (const { name, id } of ours) {
    if (!there.has(name)) await git.refs.compareAndSwap(clone, { ref: name, from: id, to: undefined }, signal);
  }
}
