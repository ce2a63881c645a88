import { lstat, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { orAbsent } from '../../activities/adapters/git/absent';
import { repositoryFailure } from '../../activities/adapters/git/failures';
import type { GitPath, Worktree } from '../../activities/git-model';
import type { Git } from '../../activities/git-port';
import { unavailable } from './worktree-host';

/**
 * Files outside git, from the checkout. Invariants: 1. none of them becomes part of a commit; 2. none of them leads back into the checkout:
 * a link to a file there becomes a link to the same file here.
 */
export async function copyFiles(
  git: Git,
  checkout: string | undefined,
  worktree: Worktree,
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (checkout === undefined) {
    throw unavailable(
      `this host has no checkout to copy ${names.join(', ')} from`,
      'let `setup` fetch them, or give this host the checkout',
    );
  }
  for (const name of names) await refuseVirtualEnvironment(checkout, name);
  await git.worktrees.copy(checkout, worktree, names, signal);
  for (const name of names) await relink(join(worktree.path, name), checkout, worktree.path);
  const { changes } = await git.worktrees.status(worktree, signal);
  const known = changes.map(({ path }) => path).filter((path) => names.some((name) => isWithin(path, name)));
  if (known.length === 0) return;
  const shown = known.slice(0, 5).map((path) => path.toString('utf8'));
  throw unavailable(
    `git does not ignore these files of \`copy\`, so they would be committed and pushed: ${shown.join(', ')}`,
    'add them to .gitignore, or remove them from `copy`',
  );
}

/** The programs of a virtual environment know the folder in which it was made. */
async function refuseVirtualEnvironment(checkout: string, name: string): Promise<void> {
  if (!(await orAbsent(lstat(join(checkout, name, 'pyvenv.cfg'))))) return;
  throw repositoryFailure(
    'invalid-path',
    `${JSON.stringify(name)} is a virtual environment, which works only in the place where it was made: make one in \`setup\``,
  );
}

async function relink(path: string, from: string, to: string): Promise<void> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) {
    const target = await readlink(path);
    if (target !== from && !target.startsWith(from + sep)) return;
    await rm(path);
    await symlink(to + target.slice(from.length), path);
  } else if (found.isDirectory()) {
    for (const name of await readdir(path)) await relink(join(path, name), from, to);
  }
}

function isWithin(path: GitPath, name: string): boolean {
  const text = path.toString('utf8');
  return text === name || text.startsWith(`${name}/`) || name.startsWith(`${text.replace(/\/$/, '')}/`);
}
