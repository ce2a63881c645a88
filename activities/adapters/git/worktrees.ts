import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ListedWorktree, ObjectId, Repository, Worktree, WorktreeStatus } from '../../git-model';
import type { Worktrees } from '../../git-port';
import { orAbsent } from './absent';
import { copyInto } from './copy-files';
import { problemOf, repositoryFailure } from './failures';
import { placeOf } from './git-process';
import type { GitTools } from './git-tools';
import { nulParts, pathText } from './listings';
import { branchRef, checkedId } from './names';
import { removeFolder } from './remove-folder';
import { readStatus } from './status';
import { isAtLeast } from './version';
import { hasRecords, openWorktree, recordOf, worktreePath } from './worktree-folder';

export function worktreesOf(tools: GitTools): Worktrees {
  return {
    add: (repository, at, signal) => addWorktree(tools, repository, at, signal),
    open: (repository, path) => openWorktree(repository, path),
    head: (worktree, signal) => headOf(tools, worktree, signal),
    list: (repository, signal) => listWorktrees(tools, repository, signal),
    remove: (repository, path) => removeWorktree(repository, path),
    prune: (repository, signal) => prune(tools, repository, signal),
    moveTo: (worktree, commit, options, signal) => moveTo(tools, worktree, commit, options, signal),
    status: (worktree, signal) => statusOf(tools, worktree, signal),
    copy: (from, worktree, names) => copyInto(from, worktree.path, names),
  };
}

type Place = Parameters<Worktrees['add']>[1];

async function addWorktree(
  tools: GitTools,
  repository: Repository,
  { path, commit, branch }: Place,
  signal: AbortSignal,
): Promise<Worktree> {
  await tools.version(signal);
  checkedId(commit);
  if (branch !== undefined) branchRef(branch);
  await mkdir(dirname(resolve(path)), { recursive: true, mode: 0o700 });
  const real = await worktreePath(path);
  const before = await earlierAdd(tools, repository, real, { commit, branch }, signal);
  if (before) return before;
  const on = branch === undefined ? ['--detach'] : ['-B', branch];
  const argv = ['worktree', 'add', '--quiet', ...on, '--', real, commit];
  await tools.run({ at: { gitDir: repository.gitDir }, argv }, signal).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : '';
    if (/already exists/.test(message)) throw repositoryFailure('path-taken', `${real} is there already`);
    if (/already (checked out|used by worktree)|is a missing but/.test(message)) {
      throw repositoryFailure('branch-taken', `${branch ?? real} belongs to another worktree`);
    }
    throw error;
  });
  return await openWorktree(repository, real);
}

/** The result of an earlier identical call. The remains of a killed one are removed. */
async function earlierAdd(
  tools: GitTools,
  repository: Repository,
  real: string,
  { commit, branch }: Pick<Place, 'commit'> & { branch: string | undefined },
  signal: AbortSignal,
): Promise<Worktree | undefined> {
  const record = await recordOf(repository.gitDir, real);
  if (record === undefined || !existsSync(real)) return undefined;
  // Git locks a worktree with this reason until all its files are there.
  if ((await orAbsent(readFile(join(record, 'locked'), 'utf8')))?.startsWith('initializing')) {
    await removeWorktree(repository, real);
    return undefined;
  }
  const worktree = await openWorktree(repository, real);
  const status = await readStatus(tools, placeOf(worktree), { all: false, apart: true }, signal);
  return status.head === commit && status.branch === branch ? worktree : undefined;
}

async function headOf({ ask }: GitTools, worktree: Worktree, signal: AbortSignal): Promise<ObjectId | undefined> {
  const argv = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  return await ask({ at: placeOf(worktree), argv }, signal).catch((error: unknown) => {
    if (problemOf(error) === 'failed') return undefined;
    throw error;
  });
}

export async function listWorktrees(
  { read, version }: GitTools,
  { gitDir, checkout }: Repository,
  signal: AbortSignal,
): Promise<ListedWorktree[]> {
  // This is what git would answer, without asking it.
  if (checkout === undefined && !(await hasRecords(gitDir))) return [{ path: Buffer.from(gitDir), bare: true }];
  // Before 2.36 there is no -z: a path with a newline reads as two lines.
  const nul = isAtLeast(await version(signal), 2, 36);
  const listing = await read({ at: { gitDir }, argv: ['worktree', 'list', '--porcelain', ...(nul ? ['-z'] : [])] }, signal);
  return parseWorktrees(nul ? nulParts(listing) : nulParts(Buffer.from(listing.toString('latin1').replaceAll('\n', '\0'), 'latin1')));
}

function parseWorktrees(lines: readonly Buffer[]): ListedWorktree[] {
  const found: ListedWorktree[] = [];
  for (const line of lines) {
    const at = line.indexOf(0x20);
    const [key, value] = at < 0 ? [line.toString('utf8'), Buffer.alloc(0)] : [line.toString('utf8', 0, at), line.subarray(at + 1)];
    const last = found.at(-1);
    if (key === 'worktree') found.push({ path: value });
    else if (!last) continue;
    else if (key === 'HEAD' && !/^0+$/.test(value.toString('latin1'))) last.head = value.toString('latin1');
    else if (key === 'branch') last.branch = value.toString('utf8').replace(/^refs\/heads\//, '');
    else if (key === 'bare' || key === 'prunable' || key === 'locked') last[key] = true;
  }
  return found;
}

/** The folder is removed first: then only a record is left, which `prune` removes too. */
async function removeWorktree(repository: Repository, path: string): Promise<void> {
  const real = await worktreePath(path);
  const record = await recordOf(repository.gitDir, real);
  if (real === repository.checkout || real === repository.gitDir) {
    throw repositoryFailure('invalid-path', `${real} is the repository itself`);
  }
  if (record === undefined) return;
  await removeFolder(real);
  await removeFolder(record);
}

async function prune({ run }: GitTools, { gitDir }: Repository, signal: AbortSignal): Promise<void> {
  await run({ at: { gitDir }, argv: ['worktree', 'prune', '--expire=now'] }, signal);
}

async function moveTo(
  tools: GitTools,
  worktree: Worktree,
  commit: string,
  { discard, branch }: Parameters<Worktrees['moveTo']>[2],
  signal: AbortSignal,
): Promise<void> {
  const at = placeOf(worktree);
  if (discard === undefined) await refuseChanges(tools, worktree, signal);
  if (branch !== undefined) branchRef(branch);
  const move = branch === undefined ? ['reset', '--hard'] : ['checkout', '--force', '-B', branch];
  await tools.run({ at, argv: [...move, '--quiet', checkedId(commit), '--'] }, signal);
  if (discard === undefined) return;
  // Twice -f: repositories within the worktree too.
  await tools.run({ at, argv: ['clean', '-ffdq', ...(discard === 'everything' ? ['-x'] : [])] }, signal);
}

async function refuseChanges(tools: GitTools, worktree: Worktree, signal: AbortSignal): Promise<void> {
  const { changes } = await readStatus(tools, placeOf(worktree), { all: false, apart: true }, signal);
  if (changes.length === 0) return;
  const paths = changes.slice(0, 20).map(({ path }) => pathText(path));
  throw repositoryFailure('dirty', `${worktree.path} has changes that are not committed: ${paths.join(', ')}`, { paths });
}

async function statusOf(tools: GitTools, worktree: Worktree, signal: AbortSignal): Promise<WorktreeStatus> {
  return await readStatus(tools, placeOf(worktree), { all: true, apart: true }, signal);
}
