import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Committed, ObjectId, Signature, Worktree } from '../../git-model';
import type { Commits } from '../../git-port';
import { parseUnmerged } from './conflicts';
import { repositoryFailure } from './failures';
import { type GitPlace, placeOf } from './git-process';
import type { GitTools } from './git-tools';
import { nulParts, pathText } from './listings';
import { branchRef, checkedId } from './names';
import { unlessNothing } from './questions';
import { parseRawDiff } from './raw-diff';

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

type CommitRequest = Parameters<Commits['commitAll']>[1];

async function commitAll(
  tools: GitTools,
  worktree: Worktree,
  { message, signature, allowEmpty, branch }: CommitRequest,
  signal: AbortSignal,
): Promise<Committed> {
  const { run, ask } = tools;
  const { path, gitDir } = worktree;
  const at = placeOf(worktree);
  const head = () => ask({ at, argv: ['rev-parse', '--verify', 'HEAD'] }, signal);
  // Of a merge that is under way: what has conflicts would be taken as resolved.
  const unmerged = parseUnmerged((await run({ at, argv: ['ls-files', '--unmerged', '-z'] }, signal)).stdout);
  if (unmerged.length > 0) {
    throw refusedPaths(
      'unmerged',
      `${path} has conflicts that are not resolved`,
      unmerged.map((conflict) => conflict.path),
    );
  }
  if (branch !== undefined) await takeBranch(tools, at, branchRef(branch), signal);
  await addAll(tools, at, signal);
  const staged = parseRawDiff(
    (await run({ at, argv: ['diff-index', '--cached', '--raw', '-z', '--no-renames', 'HEAD', '--'] }, signal)).stdout,
  );
  const embedded = staged.filter(({ mode, oldMode }) => mode === GITLINK && oldMode !== GITLINK).map((change) => change.path);
  if (embedded.length > 0) {
    await run({ at, argv: ['reset', '--quiet'] }, signal);
    throw refusedPaths('embedded-repository', `${path} has repositories of their own within it`, embedded);
  }
  if (staged.length === 0 && allowEmpty !== true && !existsSync(join(gitDir, 'MERGE_HEAD')))
    return { kind: 'unchanged', commit: await head() };
  const argv = [
    'commit',
    '--quiet',
    '--no-verify',
    '--no-gpg-sign',
    '--allow-empty',
    '--allow-empty-message',
    '--cleanup=verbatim',
    '--file=-',
  ];
  await run({ at, argv, env: signedBy(signature), stdin: message }, signal);
  return { kind: 'committed', commit: await head() };
}

/** As `git add --all`, which asks each submodule for its changes, and so executes what the configuration of that one says. */
async function addAll({ run }: GitTools, at: GitPlace, signal: AbortSignal): Promise<void> {
  const paths = async (argv: string[]) => nulParts((await run({ at, argv }, signal)).stdout);
  const changed = await paths(['diff-files', '--name-only', '-z', '--no-renames', '--ignore-submodules=dirty']);
  const added = await paths(['ls-files', '-z', '--others', '--exclude-standard']);
  if (changed.length + added.length === 0) return;
  // A repository within it is listed with a slash.
  const files = added.map((path) => (path.at(-1) === 0x2f ? path.subarray(0, -1) : path));
  const stdin = Buffer.concat([...changed, ...files].flatMap((path) => [path, Buffer.of(0)]));
  await run({ at, argv: ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], stdin }, signal);
}

/** To where HEAD is, files and index as they are; a HEAD without commits goes back to the branch. */
async function takeBranch({ run, ask }: GitTools, at: GitPlace, ref: string, signal: AbortSignal): Promise<void> {
  const said = (argv: string[]) => unlessNothing(ask({ at, argv }, signal));
  if ((await said(['symbolic-ref', '--quiet', 'HEAD'])) === ref) return;
  const head = await said(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head !== undefined) await run({ at, argv: ['update-ref', '-m', 'thermidor', '--no-deref', ref, head] }, signal);
  await run({ at, argv: ['symbolic-ref', '-m', 'thermidor', 'HEAD', ref] }, signal);
}

const GITLINK = '160000';

function refusedPaths(problem: 'unmerged' | 'embedded-repository', message: string, found: readonly Buffer[]): Error {
  const paths = found.slice(0, 20).map(pathText);
  return repositoryFailure(problem, `${message}: ${paths.join(', ')}`, { paths });
}

/** To the second, in UTC: the same commit whenever and wherever it is made again. */
export function signedBy({ name, email, atMs }: Signature): Record<string, string> {
  const date = `@${Math.floor(atMs / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
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
