import { copyFile, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { STATE_FILE_MODE } from '../../../plan/run/state-file-modes';
import type { Repository } from '../../git-model';
import type { Lending } from '../../git-transfers-port';
import { orAbsent } from './absent';
import { removeFolder } from './remove-folder';
import { SETTINGS_FILES } from './settings';

/**
 * The small repository of one worktree, and our view of it. Refs and configuration are its own; objects that it lacks are the lender's.
 *
 * Invariants: 1. programs in the worktree have no ref and no configuration of the lender's, or of another worktree; 2. what they configure
 * there affects none of our calls: the view has the repository's refs, objects and worktrees, but our configuration; 3. the lender needs
 * nothing of it. It is made from files alone, without a git process.
 */
export async function lendRepository(lender: Repository, { folder, view, refs }: Lending): Promise<Repository> {
  await returnRepository({ folder, view });
  await mkdir(dirname(view), { recursive: true, mode: 0o700 });
  for (const name of ['refs/heads', 'objects/info', 'worktrees', 'logs', 'info']) {
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  }
  const objects = await realpath(join(folder, 'objects'));
  // Relative: a folder of worktrees may have a line end in its name, which this file has no way to say.
  await writeFile(join(objects, 'info/alternates'), `${relative(objects, join(await realpath(lender.gitDir), 'objects'))}\n`, FILE_MODE);
  await writeFile(join(folder, 'packed-refs'), refs.map(({ id, name }) => `${id} ${name}\n`).join(''), FILE_MODE);
  await mkdir(join(view, 'info'), { recursive: true, mode: 0o700 });
  for (const shared of SHARED) await symlink(join(folder, shared), join(view, shared));
  for (const own of [folder, view]) {
    for (const name of ['config', ...SETTINGS_FILES]) await copyIfThere(join(lender.gitDir, name), join(own, name));
  }
  // Last: without it git takes neither for a repository.
  for (const own of [folder, view]) await writeFile(join(own, 'HEAD'), 'ref: refs/heads/none\n', FILE_MODE);
  return viewOf(view);
}

const FILE_MODE = { mode: STATE_FILE_MODE };
const SHARED = ['refs', 'packed-refs', 'objects', 'worktrees', 'logs'];

/** Undefined if it is missing, entirely or in part. */
export async function lentRepository(view: string): Promise<Repository | undefined> {
  const needed = ['HEAD', 'refs', 'objects', 'worktrees'].map((name) => orAbsent(realpath(join(view, name))));
  return (await Promise.all(needed)).includes(undefined) ? undefined : viewOf(view);
}

export async function returnRepository({ folder, view }: Pick<Lending, 'folder' | 'view'>): Promise<void> {
  await removeFolder(view);
  await removeFolder(folder);
}

function viewOf(view: string): Repository {
  return { identity: view, gitDir: view, shallow: false };
}

async function copyIfThere(from: string, to: string): Promise<void> {
  if ((await orAbsent(readFile(from))) !== undefined) await copyFile(from, to);
}
