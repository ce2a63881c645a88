import type { ObjectId, Repository } from '../../git-model';
import type { Commits, Fork } from '../../git-port';
import { commitAll } from './commit-all';
import type { GitTools } from './git-tools';
import { checkedId } from './names';

export function commitsOf(tools: GitTools): Commits {
  return {
    commitAll: (worktree, commit, signal) => commitAll(tools, worktree, commit, signal),
    isAncestor: async (repository, ancestor, commit, signal) =>
      (await forkOf(tools, repository, ancestor, commit, signal)).bases[0] === ancestor,
    fork: (repository, onto, candidate, signal) => forkOf(tools, repository, onto, candidate, signal),
    async between({ gitDir }, { from, to, limit }, signal) {
      const argv = ['rev-list', '--topo-order', `--max-count=${limit}`, `^${checkedId(from)}`, checkedId(to), '--'];
      const listing = await tools.ask({ at: { gitDir }, argv }, signal);
      return listing === '' ? [] : listing.split('\n').reverse();
    },
    missing: ({ gitDir }, commits, signal) => missing(tools, gitDir, commits, signal),
    async lacking({ gitDir }, commits, signal) {
      if (await areWhole(tools, gitDir, commits, signal)) return [];
      if (commits.length === 1) return [...commits];
      const gone = await missing(tools, gitDir, commits, signal);
      const there = commits.filter((commit) => !gone.includes(commit));
      if (gone.length > 0 && (await areWhole(tools, gitDir, there, signal))) return gone;
      const parts: ObjectId[] = [];
      for (const commit of there) if (!(await areWhole(tools, gitDir, [commit], signal))) parts.push(commit);
      return [...gone, ...parts];
    },
    treeOf: ({ gitDir }, commit, signal) =>
      tools.ask({ at: { gitDir }, argv: ['rev-parse', '--verify', `${checkedId(commit)}^{tree}`] }, signal),
  };
}

/** One process finds both: a merge queue needs them for each candidate. */
export async function forkOf(
  { ask }: GitTools,
  { gitDir }: Repository,
  onto: ObjectId,
  candidate: ObjectId,
  signal: AbortSignal,
): Promise<Fork> {
  const argv = ['rev-parse', `${checkedId(onto)}^{tree}`, `${onto}...${checkedId(candidate)}`];
  const [tree = '', ...range] = (await ask({ at: { gitDir }, argv }, signal)).split('\n');
  return { tree, bases: range.filter((line) => line.startsWith('^')).map((line) => line.slice(1)) };
}

async function missing({ ask }: GitTools, gitDir: string, commits: readonly ObjectId[], signal: AbortSignal): Promise<ObjectId[]> {
  if (commits.length === 0) return [];
  const argv = ['rev-list', '--no-walk=unsorted', '--ignore-missing', ...commits.map(checkedId), '--'];
  const there = new Set((await ask({ at: { gitDir }, argv }, signal)).split('\n'));
  return commits.filter((commit) => !there.has(commit));
}

/** As a fetch asks before it believes that it has commits: whether they are there, with all that no ref has of them. */
async function areWhole({ ask }: GitTools, gitDir: string, commits: readonly ObjectId[], signal: AbortSignal): Promise<boolean> {
  if (commits.length === 0) return true;
  const argv = ['rev-list', '--objects', '--quiet', ...commits.map((commit) => `${checkedId(commit)}^{commit}`), '--not', '--all', '--'];
  return await ask({ at: { gitDir }, argv }, signal).then(
    () => true,
    // Whatever else is wrong with the repository, the fetch that follows says it.
    () => {
      signal.throwIfAborted();
      return false;
    },
  );
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
