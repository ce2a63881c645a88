import { realpath } from 'node:fs/promises';
import { hasLoweredLimit } from '../../activities/adapters/processes/inherited-limits';
import { hasOpenBelow } from '../../activities/adapters/processes/open-below';
import { hasMark, killWhere } from '../../activities/adapters/processes/orphans';
import type { WorktreePlace } from '../../activities/worktree-port';
import { ThermidorFailure } from '../../plan/run/failure';
import { markOf, workMarkOf } from './worktree-environment';
import type { WorktreeRecord } from './worktree-record';

type Folder = Pick<WorktreeRecord, 'folder'>;

/** Ends what `setup` or a step has left running, which nobody owns by then. */
export async function endAll({ folder }: Folder): Promise<void> {
  const marks = [markOf(folder), workMarkOf(folder)].map(asMark);
  const isHidden = await hiddenIn(folder);
  await killWhere((pid) => marks.some((has) => has(pid)) || isHidden(pid));
}

/**
 * What a step has started and left running, in whatever process group: what is saved is what was there when it ended. Fails with
 * `worktree.unavailable` if one does not end, because what it writes would be taken for the step's own.
 *
 * If several share a worktree, a process that has shed its marks may belong to a step that is still at work.
 */
export async function endWork({ folder }: Folder, { sharedBy }: Pick<WorktreePlace, 'sharedBy'>): Promise<void> {
  const [isOfStep, isOfSetup] = [asMark(workMarkOf(folder, sharedBy)), asMark(markOf(folder))];
  const isHidden = sharedBy === undefined ? await hiddenIn(folder) : () => false;
  const left = await killWhere((pid) => isOfStep(pid) || (isHidden(pid) && !isOfSetup(pid)));
  if (left.length === 0) return;
  throw new ThermidorFailure('worktree.unavailable', `processes of a step in ${folder} do not end: ${left.join(', ')}; end them by hand`, {
    path: folder,
  });
}

function asMark([name, value]: [string, string]): (pid: number) => boolean {
  return hasMark(`${name}=${value}`);
}

/** What has shed its marks on purpose, and has something of the worktree open. A person's own programs have never had a mark to shed. */
async function hiddenIn(folder: string): Promise<(pid: number) => boolean> {
  // Processes may have files open in a folder that is gone.
  const real = await realpath(folder).catch(() => folder);
  return (pid) => hasLoweredLimit(pid) && hasOpenBelow(pid, real);
}
