import { killMarked } from '../../activities/adapters/processes/orphans';
import type { WorktreePlace } from '../../activities/worktree-port';
import { ThermidorFailure } from '../../plan/run/failure';
import { markOf, workMarkOf } from './worktree-environment';
import type { WorktreeRecord } from './worktree-record';

type Folder = Pick<WorktreeRecord, 'folder'>;

/** What `setup` or a step has left running: by then it is nobody's. */
export async function endAll({ folder }: Folder): Promise<void> {
  for (const mark of [markOf(folder), workMarkOf(folder)]) await killMarked(mark.join('='));
}

/**
 * What a step has started and left running, in whatever process group: what is saved is what was there when it ended. Fails with `worktree.unavailable` where
 * one does not end, because what it writes would be taken for the step's own.
 */
export async function endWork({ folder }: Folder, { sharedBy }: Pick<WorktreePlace, 'sharedBy'>): Promise<void> {
  const left = await killMarked(workMarkOf(folder, sharedBy).join('='));
  if (left.length === 0) return;
  throw new ThermidorFailure('worktree.unavailable', `processes of a step in ${folder} do not end: ${left.join(', ')}; end them by hand`, {
    path: folder,
  });
}
