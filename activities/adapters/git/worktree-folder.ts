import { lstat, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode } from '../../../plan/error-code';
import type { Repository, Worktree } from '../../git-model';
import { orAbsent } from './absent';
import { repositoryFailure } from './failures';

/**
 * Finds a worktree's part of the repository by the repository's own record, never by the file `.git` in the worktree: an agent that works
 * there may have removed that file, or made it name another worktree. A git that searched upwards would find the main checkout.
 */
export async function openWorktree(repository: Repository, path: string): Promise<Worktree> {
  const real = await worktreePath(path);
  const gitDir = await recordOf(repository.gitDir, real);
  if (gitDir === undefined) throw repositoryFailure('worktree-missing', `${real} is not a worktree of ${repository.identity}`);
  try {
    if (!(await lstat(real)).isDirectory()) throw repositoryFailure('worktree-missing', `${real} is not a folder`);
    await restorePointer(join(real, '.git'), `gitdir: ${gitDir}\n`);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw repositoryFailure('worktree-missing', `the folder ${real} is gone`);
    throw error;
  }
  return { path: real, gitDir, repository };
}

/** Writes a regular file: a link in its place is replaced, and its target is neither read nor written. */
async function restorePointer(path: string, pointer: string): Promise<void> {
  const found = await orAbsent(lstat(path));
  // Somebody has made a repository of their own in it.
  if (found?.isDirectory()) throw repositoryFailure('embedded-repository', `${dirname(path)} was made a repository of its own`);
  if (found?.isFile() && found.nlink === 1 && (await readFile(path, 'utf8')) === pointer) return;
  await rm(path, { force: true });
  await writeFile(path, pointer, { flag: 'wx', mode: 0o644 });
}

/** Real but for its last part, which may have been replaced by a link. */
export async function worktreePath(path: string): Promise<string> {
  const folder = dirname(resolve(path));
  return join((await orAbsent(realpath(folder))) ?? folder, basename(resolve(path)));
}

/** Whether a repository has worktrees, or had some that nobody has pruned. */
export async function hasRecords(common: string): Promise<boolean> {
  return ((await orAbsent(readdir(join(common, 'worktrees')))) ?? []).length > 0;
}

/** The folder of the repository that is about the worktree at a path. */
export async function recordOf(common: string, path: string): Promise<string | undefined> {
  // A view links to the repository's own folder: the worktree gets the path of that folder, not of the link.
  const records = await orAbsent(realpath(join(common, 'worktrees')));
  if (records === undefined) return undefined;
  for (const name of (await orAbsent(readdir(records))) ?? []) {
    const pointer = await orAbsent(readFile(join(records, name, 'gitdir'), 'utf8'));
    // git 2.48 can write it relative to its own folder.
    if (pointer && dirname(resolve(join(records, name), pointer.replace(/\n$/, ''))) === path) return join(records, name);
  }
  return undefined;
}
