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
 * What is changed in a worktree while no step works there: by another step that writes there by an absolute path, by a person, or by a
 * program that `setup` has started; and changes of a step that could not be saved. Their author is not known otherwise.
 *
 * Invariants: 1. changes that a step may have made itself are never reported: the mark says what was saved last, and which step has worked
 * there since, and does not count after a restart of the machine, which may have kept an older one; 2. a step that works in the worktree
 * does not learn where the mark is.
 */
type Place = Pick<WorktreeHost, 'layout'>;

interface Mark {
  /** The last saved commit. */
  commit: ObjectId;
  /** The path of the step that has worked there since. Absent: none has. */
  step?: string;
}

function markOf(host: Place, id: WorktreeId): string {
  return join(ownPlaces(host, id).view, 'unattended');
}

/** Marks that from now on nobody, or only that step, works there, and that it is at this commit. */
export async function leaveMark(host: Place, id: WorktreeId, { commit, step }: Mark): Promise<void> {
  const path = markOf(host, id);
  // Written completely or not at all: half of it would be another commit.
  await writeFile(`${path}.new`, step === undefined ? commit : `${commit}\n${step}`, { mode: STATE_FILE_MODE });
  await rename(`${path}.new`, path);
}

export async function removeMark(host: Place, id: WorktreeId): Promise<void> {
  await rm(markOf(host, id), { force: true });
}

/** Changes since the worktree was last saved that no continuing step made. */
export interface Unattended {
  /** The commit it should be at. */
  saved: ObjectId;
  /** The changes in words; absent if there are none. */
  said?: string;
}

/**
 * Undefined if nothing is known of it. Must be called before a step works there.
 *
 * @param step the step that is about to work there: its own remains belong to it
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
  // The changes are the step's own work, which an earlier try could not save.
  if (mark.step !== undefined && (step === undefined || mark.step === step)) return { saved };
  const who = mark.step === undefined ? WHILE : `since ${mark.step} worked there, whose work could not be saved`;
  try {
    const said = await changedSince(host.git, await host.git.worktrees.open(repository, folder, signal), { saved, who }, signal);
    return { saved, ...defined({ said }) };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    // A state that git cannot read is not reported here: opening or saving it finds the problem, too.
    return { saved, ...(problem === 'worktree-missing' ? { said: `${who}, it was removed` } : {}) };
  }
}

async function readMark(path: string): Promise<Mark | undefined> {
  const made = await orAbsent(stat(path));
  if (!made || made.mtimeMs <= Date.now() - uptime() * 1000) return undefined;
  const [commit = '', step] = (await readFile(path, 'utf8')).split('\n', 2);
  return { commit, ...defined({ step }) };
}

const WHILE = 'while no step worked there';
const MOST_PATHS = 10;

async function changedSince(
  git: Git,
  worktree: Worktree,
  { saved, who }: { saved: ObjectId; who: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const { changes, head } = await git.worktrees.status(worktree, signal);
  const isMoved = head !== saved;
  const committed = isMoved && head !== undefined ? await git.diffs.changed(worktree.repository, { from: saved, to: head }, signal) : [];
  const paths = [...new Set([...changes, ...committed].map(({ path }) => pathText(path)))].sort();
  if (paths.length === 0) return isMoved ? `${who}, its branch was moved` : undefined;
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : '';
  return `${who}, these were changed: ${paths.slice(0, MOST_PATHS).join(', ')}${more}`;
}
