import { ThermidorFailure } from '../../plan/run/failure';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';
import type { WorkTree } from '../worktrees/in-worktree';

/**
 * Pushes an agent's new commits in its worktree; must be called after each turn. A failed push is repeated with the next commit, or at the
 * end of the try; only the loss of the worktree ends the try.
 */
export function pushCommits({ workHead, log }: Toolbox, { id }: ActivityCall, tree: WorkTree | undefined): () => Promise<void> {
  if (!tree || !workHead) return () => Promise.resolve();
  let pushed: Promise<string | undefined> = workHead(tree.folder);
  return async () => {
    const before = await pushed;
    const head = await workHead(tree.folder);
    if (head === undefined || head === before) return;
    try {
      await tree.push();
      pushed = Promise.resolve(head);
    } catch (error) {
      if (!(error instanceof ThermidorFailure) || error.code === 'worktree.lost') throw error;
      log('warn', 'commits of an agent are not pushed yet', { call: id, problem: error.message });
    }
  };
}
