import type { GitPath, Repository, Swap } from '../../git-model';
import type { Refs } from '../../git-port';
import { repositoryFailure } from './failures';
import type { GitPlace } from './git-process';
import type { GitTools } from './git-tools';
import { moveFiles } from './move-files';
import { checkedId, checkedRef } from './names';
import { outcome, readRef, swapRef } from './refs';
import { recordOf } from './worktree-folder';
import { listWorktrees } from './worktrees';

type Advanced = Awaited<ReturnType<Refs['advance']>>;

/**
 * Moves a branch together with the worktree that has it checked out. The files go first, as in `receive.denyCurrentBranch=updateInstead`: a
 * branch that is ahead of its files looks as if somebody had reverted the change.
 *
 * Invariants: 1. if the worktree has changes, nothing moves; 2. if the swap is lost, the files go back; 3. killed at any point and called
 * again, it completes the move, once the index's lock is cleared.
 */
export async function advance(tools: GitTools, repository: Repository, swap: Swap, signal: AbortSignal): Promise<Advanced> {
  const { ref, from, to } = swap;
  const worktree = await worktreeWith(tools, repository, checkedRef(ref), signal);
  if (!worktree) return await swapRef(tools, repository, swap, signal);
  const { at, path } = worktree;
  if (from === undefined || to === undefined) throw repositoryFailure('branch-taken', `${ref} is checked out in ${path}`);
  const actual = await readRef(tools, repository, ref, signal);
  if (actual !== from) return outcome(actual, from, to) ?? { kind: 'stale', actual };
  const inTheWay = await moveFiles(tools, at, { from: checkedId(from), to: checkedId(to) }, signal);
  if (inTheWay.length > 0) return { kind: 'dirty', worktree: path, paths: inTheWay };
  const swapped = await swapRef(tools, repository, swap, signal);
  // Even if the caller is cancelled meanwhile: these would look like somebody's own changes.
  if (swapped.kind === 'stale') await tools.run({ at, argv: ['read-tree', '-m', '-u', to, from] }, new AbortController().signal);
  return swapped;
}

interface CheckedOut {
  at: GitPlace & { workTree: string };
  path: string;
}

async function worktreeWith(tools: GitTools, repository: Repository, ref: string, signal: AbortSignal): Promise<CheckedOut | undefined> {
  const listed = (await listWorktrees(tools, repository, signal)).find(
    ({ branch, prunable }) => `refs/heads/${branch}` === ref && !prunable,
  );
  if (!listed) return undefined;
  const path = textPath(listed.path);
  const gitDir = path === repository.checkout ? repository.gitDir : await recordOf(repository.gitDir, path);
  if (gitDir === undefined) throw repositoryFailure('worktree-missing', `${ref} is checked out in ${path}, which is gone`);
  return { at: { gitDir, workTree: path }, path };
}

function textPath(path: GitPath): string {
  return path.toString('utf8');
}
