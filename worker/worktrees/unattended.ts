import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { orAbsent } from '../../activities/adapters/git/absent';
import { problemOf } from '../../activities/adapters/git/failures';
import { pathText } from '../../activities/adapters/git/listings';
import type { ObjectId, Worktree } from '../../activities/git-model';
import type { Git } from '../../activities/git-port';
import { defined } from '../../plan/defined';
import { STATE_FILE_MODE } from '../../plan/run/state-file-modes';
import { ownPlaces, type WorktreeHost } from './worktree-host';
import type { WorktreeId } from './worktree-records';

/**
 * What is changed in a worktree while no step is at work there: by another step that writes there by an absolute path, by a person, or by a program that `setup`
 * has started; and what a step has left there that nobody could save. Who it was is not known otherwise.
 *
 * Invariants: 1. nothing is said of what a step may have done itself: the mark says what was saved last, and which step has been at work there since, and counts for
 * nothing once the machine has started anew, which may have kept an older one; 2. who works in the worktree is not told where the mark is.
 */
type Place = Pick<WorktreeHost, 'layout'>;

interface Mark {
  /** What was saved last. */
  commit: ObjectId;
  /** The path of the step that has been at work there since. Absent: nobody was. */
  step?: string;
}

function markOf(host: Place, id: WorktreeId): string {
  return join(ownPlaces(host, id).view, 'unattended');
}

/** From now on nobody is at work there, or that step alone, and it is at this commit. */
export async function leaveMark(host: Place, id: WorktreeId, { commit, step }: Mark): Promise<void> {
  const path = markOf(host, id);
  // Whole or not at all: half of it would be another commit.
  await writeFile(`${path}.new`, step === undefined ? commit : `${commit}\n${step}`, { mode: STATE_FILE_MODE });
  await rename(`${path}.new`, path);
}

export async function removeMark(host: Place, id: WorktreeId): Promise<void> {
  await rm(markOf(host, id), { force: true });
}

/** What has changed since the worktree was saved last, by nobody who goes on with it. */
export interface Unattended {
  /** What it is to be at. */
  saved: ObjectId;
  /** In words; absent where nothing has changed. */
  said?: string;
}

/**
 * Undefined where nothing is known of it. To be called before somebody is at work there.
 *
 * @param step that is about to be at work there: what it has left itself is its own
 */
export async function changedUnattended(
  host: Pick<WorktreeHost, 'git' | 'layout'>,
  id: WorktreeId,
  { folder, step }: { folder: string; step?: string },
  signal: AbortSignal,
): Promise<Unattended | undefined> {
  const mark = await readMark(markOf(host, id));
  const repository = mark && (await host.git.transfers.lent(ownPlaces(host, id).view));
  if (!mark || !repository) return undefined;
  const saved = mark.commit;
  // Its own work, which a try before could not save.
  if (mark.step !== undefined && (step === undefined || mark.step === step)) return { saved };
  const who = mark.step === undefined ? WHILE : `since ${mark.step} was at work there, which could not be saved`;
  try {
    const said = await changedSince(host.git, await host.git.worktrees.open(repository, folder, signal), { saved, who }, signal);
    return { saved, ...defined({ said }) };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    // Nothing is said of what git cannot read: whoever opens or saves it finds that, too.
    return { saved, ...(problem === 'worktree-missing' ? { said: `${who}, it was removed` } : {}) };
  }
}

async function readMark(path: string): Promise<Mark | undefined> {
  const made = await orAbsent(stat(path));
  if (!made || made.mtimeMs <= Date.now() - uptime() * 1000) return undefined;
  const [commit = '', step] = (await readFile(path, 'utf8')).split('\n', 2);
  return { commit, ...defined({ step }) };
}

const WHILE = 'while no step was at work there';
const MOST_PATHS = 10;

async function changedSince(
  git: Git,
  worktree: Worktree,
  { saved, who }: { saved: ObjectId; who: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const { changes } = await git.worktrees.status(worktree, signal);
  const head = await git.worktrees.head(worktree, signal);
  const isMoved = head !== saved;
  const committed = isMoved && head !== undefined ? await git.diffs.changed(worktree.repository, { from: saved, to: head }, signal) : [];
  const paths = [...new Set([...changes, ...committed].map(({ path }) => pathText(path)))].sort();
  if (paths.length === 0) return isMoved ? `${who}, its branch was moved` : undefined;
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : '';
  return `${who}, these were changed: ${paths.slice(0, MOST_PATHS).join(', ')}${more}`;
}
