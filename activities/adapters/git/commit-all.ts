import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Committed, GitPath, Worktree } from '../../git-model';
import type { Commits } from '../../git-port';
import { repositoryFailure } from './failures';
import { type GitPlace, placeOf } from './git-process';
import type { GitTools } from './git-tools';
import { pathText } from './listings';
import { branchRef } from './names';
import { unlessNothing } from './questions';
import { signedBy } from './signed-by';
import { GITLINK, readChanges, type TreeChange } from './status';

type CommitRequest = Parameters<Commits['commitAll']>[1];

/** One question finds what there is to commit; if that is nothing, there is no other. */
export async function commitAll(
  tools: GitTools,
  worktree: Worktree,
  { message, signature, allowEmpty, branch }: CommitRequest,
  signal: AbortSignal,
): Promise<Committed> {
  const { run, ask } = tools;
  const { path, gitDir } = worktree;
  const at = placeOf(worktree);
  const found = await readChanges(tools, at, signal);
  const { changes } = found;
  // During a merge, conflicts would be committed as resolved.
  requireNone('unmerged', `${path} has conflicts that are not resolved`, changes.filter(isUnmerged));
  const embedded = changes.filter(isEmbedded);
  if (embedded.length > 0) await run({ at, argv: ['reset', '--quiet'] }, signal);
  requireNone('embedded-repository', `${path} has repositories of their own within it`, embedded);
  if (branch !== undefined && found.branch !== branch) await takeBranch(tools, at, branchRef(branch), signal);
  await addAll(tools, at, changes.filter(isUnstaged), signal);
  const isForced = allowEmpty === true || existsSync(join(gitDir, 'MERGE_HEAD'));
  if (!isForced && (await isUnchanged(tools, at, found, signal))) {
    return { kind: 'unchanged', commit: found.head ?? (await ask({ at, argv: HEAD }, signal)) };
  }
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
  return { kind: 'committed', commit: await ask({ at, argv: HEAD }, signal) };
}

const HEAD = ['rev-parse', '--verify', 'HEAD'];

const isUnmerged = ({ kind }: TreeChange): boolean => kind === 'unmerged';
const isUnstaged = ({ unstaged }: TreeChange): boolean => unstaged;

/**
 * Git lists an embedded repository that is not added with a slash; if somebody has added it, or put it in place of a file, it is a link to
 * a commit.
 */
function isEmbedded({ kind, path, modes }: TreeChange): boolean {
  if (kind === 'untracked') return path.at(-1) === 0x2f;
  const [before, ...after] = modes;
  return before !== GITLINK && after.includes(GITLINK);
}

/** Earlier staged changes may have been undone in the files, and HEAD may have had no commit. */
async function isUnchanged(
  { run }: GitTools,
  at: GitPlace,
  { head, changes }: { head?: string; changes: readonly TreeChange[] },
  signal: AbortSignal,
): Promise<boolean> {
  const isStaged = head === undefined || changes.some(({ staged }) => staged);
  if (!isStaged) return changes.length === 0;
  const argv = ['diff-index', '--cached', '--quiet', '--no-renames', 'HEAD', '--'];
  return (await run({ at, argv, answers: [0, 1] }, signal)).exitCode === 0;
}

/** Like `git add --all`, which asks each submodule for its changes, and so executes what that submodule's configuration says. */
async function addAll({ run }: GitTools, at: GitPlace, changes: readonly TreeChange[], signal: AbortSignal): Promise<void> {
  if (changes.length === 0) return;
  const stdin = Buffer.concat(changes.flatMap(({ path }) => [path, Buffer.of(0)]));
  await run({ at, argv: ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], stdin }, signal);
}

/** Moves the branch to HEAD, with files and index unchanged; a HEAD without commits goes back to the branch. */
async function takeBranch({ run, ask }: GitTools, at: GitPlace, ref: string, signal: AbortSignal): Promise<void> {
  const head = await unlessNothing(ask({ at, argv: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'] }, signal));
  if (head !== undefined) await run({ at, argv: ['update-ref', '-m', 'thermidor', '--no-deref', ref, head] }, signal);
  await run({ at, argv: ['symbolic-ref', '-m', 'thermidor', 'HEAD', ref] }, signal);
}

function requireNone(problem: 'unmerged' | 'embedded-repository', message: string, found: readonly { path: GitPath }[]): void {
  if (found.length === 0) return;
  const paths = found.slice(0, 20).map(({ path }) => pathText(path));
  throw repositoryFailure(problem, `${message}: ${paths.join(', ')}`, { paths });
}
