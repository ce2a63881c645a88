import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { orAbsent } from '../../activities/adapters/git/absent';
import { problemOf } from '../../activities/adapters/git/failures';
import { pathText } from '../../activities/adapters/git/listings';
import type { ObjectId, Worktree } from '../../activities/git-model';
import type { Git } from '../../activities/git-port';
import { STATE_FILE_MODE } from '../../plan/run/state-file-modes';
import { ownPlaces, type WorktreeHost } from './worktree-host';
import type { WorktreeId } from './worktree-records';

/**
 * What is changed in a worktree while no step is at work there: by another step that writes there by an absolute path, by a person, or by a program that `setup`
 * has started. Who it was is not known.
 *
 * Invariants: 1. nothing is said of what a step may have done itself: the mark is there from the end of a save to the next opening, and counts for nothing once
 * the machine has started anew, which may have kept the mark and lost that it was taken; 2. who works in the worktree is not told where the mark is.
 */
type Place = Pick<WorktreeHost, 'layout'>;

function markOf(host: Place, id: WorktreeId): string {
  return join(ownPlaces(host, id).view, 'unattended');
}

/** From now on nobody is at work there, and it is at this commit. */
export async function leaveUnattended(host: Place, id: WorktreeId, commit: ObjectId): Promise<void> {
  await writeFile(markOf(host, id), commit, { mode: STATE_FILE_MODE });
}

/** What has changed since it was left, in words; undefined where nothing has, or it was not left in order. To be called before somebody is at work there. */
export async function changedUnattended(
  host: Pick<WorktreeHost, 'git' | 'layout'>,
  id: WorktreeId,
  folder: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const left = await takeMark(markOf(host, id));
  const repository = left === undefined ? undefined : await host.git.transfers.lent(ownPlaces(host, id).view);
  if (left === undefined || !repository) return undefined;
  try {
    return await changedSince(host.git, await host.git.worktrees.open(repository, folder, signal), left, signal);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    // Nothing is said of what git cannot read: whoever opens or saves it finds that, too.
    return problem === 'worktree-missing' ? `${WHILE}, it was removed` : undefined;
  }
}

async function takeMark(path: string): Promise<ObjectId | undefined> {
  const made = await orAbsent(stat(path));
  if (!made) return undefined;
  const commit = await readFile(path, 'utf8');
  await rm(path);
  return made.mtimeMs > Date.now() - uptime() * 1000 ? commit : undefined;
}

const WHILE = 'while no step was at work there';
const MOST_PATHS = 10;

async function changedSince(git: Git, worktree: Worktree, left: ObjectId, signal: AbortSignal): Promise<string | undefined> {
  const { changes } = await git.worktrees.status(worktree, signal);
  const head = await git.worktrees.head(worktree, signal);
  const isMoved = head !== left;
  const committed = isMoved && head !== undefined ? await git.diffs.changed(worktree.repository, { from: left, to: head }, signal) : [];
  const paths = [...new Set([...changes, ...committed].map(({ path }) => pathText(path)))].sort();
  if (paths.length === 0) return isMoved ? `${WHILE}, its branch was moved` : undefined;
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : '';
  return `${WHILE}, these were changed: ${paths.slice(0, MOST_PATHS).join(', ')}${more}`;
}
