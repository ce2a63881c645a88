import { problemOf } from '../../activities/adapters/git/failures';
import { pathText } from '../../activities/adapters/git/listings';
import type { Git } from '../../activities/git-port';
import { ownPlaces, type WorktreeHost } from './worktree-host';
import type { WorktreeRecord } from './worktree-record';

const MOST_PATHS = 10;

/** What would be lost with a worktree because nobody has committed it, in words. Undefined: nothing. */
export async function uncommittedIn(
  { git, layout }: { git: Git } & Pick<WorktreeHost, 'layout'>,
  record: WorktreeRecord,
  signal: AbortSignal,
): Promise<string | undefined> {
  const repository = await git.transfers.lent(ownPlaces({ layout }, record).view);
  if (!repository) return undefined;
  try {
    const { changes } = await git.worktrees.status(await git.worktrees.open(repository, record.folder, signal), signal);
    const paths = changes.map(({ path }) => pathText(path));
    if (paths.length === 0) return undefined;
    const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : '';
    return `it has uncommitted work: ${paths.slice(0, MOST_PATHS).join(', ')}${more}`;
  } catch (error) {
    if (problemOf(error) === 'worktree-missing') return undefined;
    throw error;
  }
}
