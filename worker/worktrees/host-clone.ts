import { randomUUID } from 'node:crypto';
import { access, rename, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { problemOf } from '../../activities/adapters/git/failures';
import { removeFolder } from '../../activities/adapters/git/remove-folder';
import type { Repository } from '../../activities/git-model';
import { unlessGone } from '../../records/directory/durable-file';
import { cloneOf, locked, type WorktreeHost } from './worktree-host';

/** The prefix of a clone that is incomplete, or being removed. */
export const PARTIAL = '.partial-';

/**
 * The host's own bare clone of a repository: shared by all runs, brought up to date by those who need something, and in the reach of no
 * worktree.
 *
 * @param from a folder, which is a matter of links, or a URL
 */
export async function hostClone(host: WorktreeHost, identity: string, from: string, signal: AbortSignal): Promise<Repository> {
  const folder = cloneOf(host, identity);
  if (await isWhole(folder)) return await inUse(folder);
  return await locked(host, basename(folder), signal, async () => {
    if (await isWhole(folder)) return await inUse(folder);
    // Somebody has removed a part of it.
    await setAside(folder);
    return await host.git.repositories.clone(from, folder, { bare: true, withoutRemote: true }, signal);
  });
}

/** Runs work that begins with the clone of a repository; if the clone turns out to be damaged, once more with a new one. */
export async function withSoundClone<T>(host: WorktreeHost, identity: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!DAMAGED.includes(problemOf(error) ?? '')) throw error;
    if (!(await replaced(host, cloneOf(host, identity), signal))) throw error;
    return await work();
  }
}

/** Worktrees have their objects from it: damage elsewhere is no reason to remove it. */
async function replaced({ git, ...host }: WorktreeHost, folder: string, signal: AbortSignal): Promise<boolean> {
  return await locked(host, basename(folder), signal, async () => {
    if ((await isWhole(folder)) && (await git.repositories.isSound({ identity: folder, gitDir: folder, shallow: false }, signal)))
      return false;
    await setAside(folder);
    return true;
  });
}

const DAMAGED = ['corrupt', 'not-a-repository'];

/** Git's own check that a folder is a repository; any other damage shows when it is used. */
async function isWhole(folder: string): Promise<boolean> {
  const parts = ['HEAD', 'config', 'objects', 'refs'].map((name) => access(join(folder, name)));
  return await Promise.all(parts).then(
    () => true,
    () => false,
  );
}

/** Dates the clone anew, so that the janitor knows when it was last used. */
async function inUse(folder: string): Promise<Repository> {
  await unlessGone(() => utimes(folder, new Date(), new Date()));
  return { identity: folder, gitDir: folder, shallow: false };
}

/** Hides the clone from others at once, so that nobody works with half of one. */
export async function setAside(folder: string): Promise<void> {
  const away = `${folder}${PARTIAL}${randomUUID()}`;
  const moved = await unlessGone(() => rename(folder, away).then(() => true));
  if (moved) await removeFolder(away);
}
