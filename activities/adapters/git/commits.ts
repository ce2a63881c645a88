import type { ObjectId } from '../../git-model';
import type { Commits } from '../../git-port';
import { commitAll } from './commit-all';
import type { GitTools } from './git-tools';
import { checkedId } from './names';
import { unlessNothing } from './questions';

export function commitsOf(tools: GitTools): Commits {
  const mergeBases: Commits['mergeBases'] = async ({ gitDir }, a, b, signal) => {
    const asked = tools.ask({ at: { gitDir }, argv: ['merge-base', '--all', checkedId(a), checkedId(b)] }, signal);
    return (await unlessNothing(asked))?.split('\n') ?? [];
  };
  return {
    commitAll: (worktree, commit, signal) => commitAll(tools, worktree, commit, signal),
    isAncestor: async (repository, ancestor, commit, signal) => (await mergeBases(repository, ancestor, commit, signal))[0] === ancestor,
    mergeBases,
    async between({ gitDir }, { from, to, limit }, signal) {
      const argv = ['rev-list', '--topo-order', `--max-count=${limit}`, `^${checkedId(from)}`, checkedId(to), '--'];
      const listing = await tools.ask({ at: { gitDir }, argv }, signal);
      return listing === '' ? [] : listing.split('\n').reverse();
    },
    async missing({ gitDir }, commits, signal) {
      if (commits.length === 0) return [];
      const argv = ['rev-list', '--no-walk=unsorted', '--ignore-missing', ...commits.map(checkedId), '--'];
      const there = new Set((await tools.ask({ at: { gitDir }, argv }, signal)).split('\n'));
      return commits.filter((commit) => !there.has(commit));
    },
    treeOf: ({ gitDir }, commit, signal) =>
      tools.ask({ at: { gitDir }, argv: ['rev-parse', '--verify', `${checkedId(commit)}^{tree}`] }, signal),
  };
}

export interface NewCommit {
  tree: ObjectId;
  parents: readonly ObjectId[];
  message: string | Uint8Array;
  env: Readonly<Record<string, string>>;
}

/** The object alone. */
export async function writeCommit(
  { run }: GitTools,
  gitDir: string,
  { tree, parents, message, env }: NewCommit,
  signal: AbortSignal,
): Promise<ObjectId> {
  const argv = ['commit-tree', '--no-gpg-sign', ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', tree];
  return (await run({ at: { gitDir }, argv, env, stdin: message }, signal)).stdout.toString('latin1').trim();
}
