import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { defined } from '../../../plan/defined';
import { errorCode } from '../../../plan/error-code';
import { bug } from '../../../plan/run/failure';
import { STATE_FILE_MODE } from '../../../plan/run/state-file-modes';
import type { ObjectId, Repository } from '../../git-model';
import type { CloneOptions } from '../../git-port';
import { orAbsent } from './absent';
import { problemOf, repositoryFailure } from './failures';
import type { GitTools } from './git-tools';
import { checkedRevision, checkedUrl } from './names';
import type { AskGit } from './questions';

/** The repository of a folder. Invariant: the answer is the same from each of its worktrees. */
export async function openRepository({ ask, known, version }: GitTools, folder: string, signal: AbortSignal): Promise<Repository> {
  await version(signal);
  return await known.of(resolve(folder), () => askRepository(ask, resolve(folder), signal));
}

async function askRepository(ask: AskGit, folder: string, signal: AbortSignal): Promise<Repository> {
  const found = await ask(
    {
      at: { folder },
      argv: ['rev-parse', '--is-bare-repository', '--is-shallow-repository', '--path-format=absolute', '--git-common-dir'],
    },
    signal,
  ).catch((error: unknown) => {
    throw problemOf(error) === 'failed' ? repositoryFailure('not-a-repository', `${folder} is not in a git repository`) : error;
  });
  // The folder comes last: its name may contain line ends.
  const [, bare, shallow, common = ''] = /^(true|false)\n(true|false)\n([\s\S]*)$/.exec(found) ?? [];
  const gitDir = await realpath(common);
  const checkout = bare === 'true' || (await isBareElsewhere(ask, folder, gitDir, signal)) ? undefined : checkoutOf(gitDir);
  return { identity: identityOf(gitDir), gitDir, shallow: shallow === 'true', ...defined({ checkout }) };
}

/** In a worktree of a bare repository the first answer is about the worktree, in the main checkout it is about the repository. */
async function isBareElsewhere(ask: AskGit, folder: string, gitDir: string, signal: AbortSignal): Promise<boolean> {
  if ((await orAbsent(realpath(join(folder, '.git')))) === gitDir) return false;
  return (await ask({ at: { gitDir }, argv: ['rev-parse', '--is-bare-repository'] }, signal)) === 'true';
}

/** Judged by its location alone: whether it is bare is a line of its configuration, which programs in any of its worktrees may change. */
function identityOf(gitDir: string): string {
  return basename(gitDir) === '.git' ? dirname(gitDir) : gitDir;
}

/** In a submodule, and after `init --separate-git-dir`, the repository does not know its checkout. */
function checkoutOf(gitDir: string): string {
  if (basename(gitDir) === '.git') return dirname(gitDir);
  throw repositoryFailure('git-folder-apart', `the checkout of ${gitDir} lies elsewhere, as that of a submodule does`);
}

/** Clones completely or not at all: into a place next to the folder, from where it is moved. */
export async function cloneRepository(
  tools: GitTools,
  url: string,
  folder: string,
  { bare, withoutRemote }: CloneOptions,
  signal: AbortSignal,
): Promise<Repository> {
  await tools.version(signal);
  const path = resolve(folder);
  if (await isEmptyPlace(path)) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const partial = await mkdtemp(`${path}.partial-`);
    try {
      await cloneInto(tools, checkedUrl(url), partial, bare ? ['--bare'] : [], signal);
      if (withoutRemote) await forgetRemote(bare ? partial : join(partial, '.git'));
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      // Another was quicker.
      if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
    }
  }
  return await openRepository(tools, path, signal);
}

/** Removes the remote, whatever its name, from the configuration that git has just written: its name in brackets, and indented lines. */
async function forgetRemote(gitDir: string): Promise<void> {
  const path = join(gitDir, 'config');
  const text = await readFile(path, 'latin1');
  const without = text.replace(/^\[remote "[^"\n]*"\]\n(?:\t.*\n)*/m, '');
  if (without === text) throw bug(`the clone in ${gitDir} has no remote`);
  await writeFile(path, without, { encoding: 'latin1', mode: STATE_FILE_MODE });
}

/**
 * Clones a repository. Objects of a folder on this host are linked or copied, but only its own: what it borrows from a third repository is
 * fetched, and so is everything if its objects cannot be linked, for example because somebody is repacking them.
 */
async function cloneInto(tools: GitTools, url: string, folder: string, options: readonly string[], signal: AbortSignal): Promise<void> {
  const clone = async (...more: string[]) => {
    const argv = ['clone', '--quiet', '--no-recurse-submodules', '--template=', ...options, ...more, '--', url, folder];
    await tools.run({ argv, network: true }, signal);
  };
  if (!url.startsWith('/')) return await clone();
  if (await borrows(url)) return await clone('--no-local');
  await clone().catch(async (error: unknown) => {
    if (problemOf(error) !== 'failed') throw error;
    await clone('--no-local');
  });
}

async function borrows(path: string): Promise<boolean> {
  const found = await Promise.all(['.git/objects', 'objects'].map((at) => orAbsent(stat(join(path, at, 'info/alternates')))));
  return found.some((one) => one !== undefined && one.size > 0);
}

async function isEmptyPlace(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length === 0;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return true;
    throw repositoryFailure('path-taken', `${path} is not a folder`);
  }
}

export async function isSound({ run }: GitTools, { gitDir }: Repository, signal: AbortSignal): Promise<boolean> {
  const argv = ['fsck', '--full', '--no-dangling', '--no-progress'];
  return await run({ at: { gitDir }, argv }, signal).then(
    () => true,
    (error: unknown) => {
      if (['failed', 'corrupt', 'not-a-repository'].includes(problemOf(error) ?? '')) return false;
      throw error;
    },
  );
}

export async function resolveRevision({ ask }: GitTools, { gitDir }: Repository, revision: string, signal: AbortSignal): Promise<ObjectId> {
  const argv = ['rev-parse', '--verify', '--end-of-options', `${checkedRevision(revision)}^{commit}`];
  return await ask({ at: { gitDir }, argv }, signal).catch((error: unknown) => {
    throw problemOf(error) === 'failed' ? repositoryFailure('base-missing', `there is no commit ${JSON.stringify(revision)}`) : error;
  });
}
