import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../../activities/git-port';
import { namesIn, unlessGone } from '../../records/directory/durable-file';
import { PARTIAL } from './host-clone';
import type { Swept } from './swept';
import { locked } from './worktree-host';
import { worktreesLayout } from './worktrees-layout';

/** Work that begins with the same commit later fetches it again, if a clone has lost it by then. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const KEPT = 'refs/kept/';

export interface KeptOrder {
  nowMs: number;
  dryRun?: boolean;
}

/**
 * Thins out the refs that a host's clones keep of all that was ever brought there: each costs a little with every fetch. Their objects
 * stay, because worktrees may borrow them.
 */
export async function sweepKept({ root, git }: { root: string; git: Git }, order: KeptOrder, signal: AbortSignal): Promise<Swept[]> {
  const layout = worktreesLayout(root);
  const swept: Swept[] = [];
  for (const name of await namesIn(layout.clones)) {
    if (name.includes(PARTIAL)) continue;
    const clone = join(layout.clones, name);
    const what = `${KEPT} in ${clone}`;
    try {
      const removed = await locked({ root, layout }, name, signal, () => thinned(git, clone, order, signal));
      if (removed > 0) swept.push({ kind: 'refs', what, done: 'removed', why: `${removed} of them are older than a week` });
    } catch (error) {
      signal.throwIfAborted();
      swept.push({ kind: 'refs', what, done: 'failed', why: error instanceof Error ? error.message : String(error) });
    }
  }
  return swept;
}

async function thinned(git: Git, clone: string, { nowMs, dryRun }: KeptOrder, signal: AbortSignal): Promise<number> {
  const repository = { identity: clone, gitDir: clone, shallow: false };
  let removed = 0;
  // Each is named for its commit, and a file: nothing packs them.
  for (const commit of await namesIn(join(clone, KEPT))) {
    const file = await unlessGone(() => stat(join(clone, KEPT, commit)));
    if (!file || nowMs - file.mtimeMs < KEPT_MS) continue;
    removed++;
    if (!dryRun) await git.refs.compareAndSwap(repository, { ref: `${KEPT}${commit}`, from: commit, to: undefined }, signal);
  }
  return removed;
}
