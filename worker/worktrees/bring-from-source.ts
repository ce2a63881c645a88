import { basename } from 'node:path';
import type { Ref, Repository } from '../../activities/git-model';
import type { Git } from '../../activities/git-port';
import { locked, type WorktreeHost } from './worktree-host';

export interface Brought {
  commits: readonly string[];
  /** The tags as they are now in the source: work in a worktree begins with them, and nothing else needs any. */
  tags?: readonly Ref[];
}

/**
 * Copies from a repository on this host into the clone of it: commits, which need not be on a branch there, and what else work begins with:
 * the current settings of files, and the tags. Branches are not copied. Returns the clone's `WORK_REFS`, if tags are requested.
 */
export async function bringFromSource(
  host: WorktreeHost,
  clone: Repository,
  source: Repository,
  { commits, tags }: Brought,
  signal: AbortSignal,
): Promise<Ref[]> {
  const { git } = host;
  return await locked(host, basename(clone.gitDir), signal, async () => {
    await git.transfers.settings(source, clone, signal);
    const refs = tags ? await git.refs.list(clone, WORK_REFS, signal) : [];
    const changed = tags && changedTags(refs, tags);
    const wanted = await git.commits.lacking(clone, [...new Set(commits)], signal);
    if (!changed && wanted.length === 0) return refs;
    // Reports what is wrong with a missing commit; the fetch would only fail.
    const [gone] = await git.commits.missing(source, wanted, signal);
    if (gone !== undefined) await git.repositories.resolve(source, gone, signal);
    // Removes the lock of a killed fetch: nobody else fetches.
    await git.locks.clear(clone, 0);
    if (changed) await forgetTags(git, clone, changed, signal);
    await git.transfers.bring(source, clone, { commits: wanted, tags: changed !== undefined }, signal);
    return changed ? await git.refs.list(clone, WORK_REFS, signal) : refs;
  });
}

export const TAGS = 'refs/tags/';
/** The prefix of the remote's branches at the time of mirroring; its tags have their own names. */
export const REMOTE_HEADS = 'refs/remotes/origin/';
/** The refs that work in a worktree finds in addition to its own branch. */
export const WORK_REFS = [REMOTE_HEADS, TAGS] as const;

interface Tags {
  ours: readonly Ref[];
  theirs: readonly Ref[];
}

function changedTags(refs: readonly Ref[], theirs: readonly Ref[]): Tags | undefined {
  const ours = refs.filter(({ name }) => name.startsWith(TAGS));
  return JSON.stringify(theirs) === JSON.stringify(ours) ? undefined : { ours, theirs };
}

/** Removes tags that are gone, which could be mistaken for an existing one, or block another. */
async function forgetTags(git: Git, clone: Repository, { ours, theirs }: Tags, signal: AbortSignal): Promise<void> {
  const there = new Set(theirs.map(({ name }) => name));
  for (const { name, id } of ours) {
    if (!there.has(name)) await git.refs.compareAndSwap(clone, { ref: name, from: id, to: undefined }, signal);
  }
}
