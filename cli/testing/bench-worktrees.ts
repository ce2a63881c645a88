import { createHash } from 'node:crypto';
import type { HostWorktrees } from '../../activities/worktree-port';
import { defined } from '../../plan/defined';
import { runRef } from '../../plan/run/run-ref';

/**
 * Worktrees of a test: names and commits, and no files except those that agents' tools have in memory. There is no git, and no `setup`
 * runs, just as commands without a stand-in do not.
 */
export function benchWorktrees(): HostWorktrees {
  const at = new Map<string, string>();
  const refs = new Map<string, string>();
  /** Worktrees that were put back to a commit and in which nothing has been done since. */
  const putBack = new Set<string>();
  const keyOf = (...parts: readonly (string | number)[]): string => JSON.stringify(parts);
  return {
    host: async () => 'bench',
    announce: async () => async () => undefined,
    isAlive: async () => true,
    resolve: async ({ repo = '.', base = 'HEAD', remote, copy = [], keep = false }) => ({
      ...{ repository: repo, refsIn: remote === undefined ? 'repository' : 'remote', base: commitOf(keyOf(repo, base)) },
      ...{ copy, keep },
      ...defined({ remote: remote === undefined ? undefined : { name: remote, checkout: repo } }),
    }),
    pushed: async (_plan, ref) => refs.get(ref),
    async open({ key, slot, epoch }, _plan, commit) {
      const folder = `${ROOT}${key.workflowId}/${slot}`;
      return { folder, env: {}, branch: `thermidor/${slot}/${epoch}`, commit: at.get(keyOf(key.run, slot)) ?? commit, createdAt: NEVER };
    },
    folderIn: async (folder, path) => `${folder}/${path}`,
    async restore({ key, slot }, _plan, commit) {
      const own = keyOf(key.run, slot);
      if ((at.get(own) ?? commit) === commit) return;
      at.set(own, commit);
      putBack.add(own);
    },
    update: async () => undefined,
    async save({ key, slot, epoch }, _plan, { message }) {
      const own = keyOf(key.run, slot);
      const commit = putBack.delete(own) ? (at.get(own) ?? '') : commitOf(keyOf(at.get(own) ?? '', message));
      at.set(own, commit);
      refs.set(runRef(key.run, slot, epoch), commit);
      return commit;
    },
    push: async ({ key, slot }) => at.get(keyOf(key.run, slot)) ?? '',
    close: async () => ({}),
  };
}

/** This folder does not exist. */
const ROOT = '/worktrees-of-a-test/';

export function isBenchWorktree(folder: string | undefined): boolean {
  return folder?.startsWith(ROOT) ?? false;
}

const NEVER = '1970-01-01T00:00:00.000Z';

/** The same work always has the same commit. */
function commitOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
