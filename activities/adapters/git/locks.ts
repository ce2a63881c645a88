import type { Dirent } from 'node:fs';
import { readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defined } from '../../../plan/defined';
import { errorCode } from '../../../plan/error-code';
import type { Lock, Repository } from '../../git-model';
import { orAbsent } from './absent';

/**
 * Locks that a killed git leaves. A lock does not name its holder, so a process is looked for that may hold it: one that has it open, or a
 * git that works in the repository. Invariant: a lock that such a process may hold is not removed, and neither is a young one.
 */
export async function clearLocks(repository: Repository, olderThanMs: number, within?: string): Promise<Lock[]> {
  const old = (await listLocks(repository)).filter(({ ageMs, owner }) => owner === undefined && ageMs >= olderThanMs);
  const left = old.filter(({ path }) => within === undefined || isWithin(path, within));
  const removed = await Promise.all(
    left.map(async (lock) => ((await isStill(lock)) ? rm(lock.path, { force: true }).then(() => lock) : undefined)),
  );
  return removed.filter((lock) => lock !== undefined);
}

/** Another process may have removed it since, and a working git may have one of the same name. */
async function isStill({ path, ageMs }: Lock): Promise<boolean> {
  const found = await orAbsent(stat(path));
  return found !== undefined && Date.now() - found.mtimeMs >= ageMs;
}

export async function listLocks({ gitDir, identity }: Repository): Promise<Lock[]> {
  const paths = await lockFiles(gitDir);
  if (paths.length === 0) return [];
  const places = [identity, gitDir, ...(await worktreeFolders(gitDir))];
  const processes = await gitProcesses();
  const locks = await Promise.all(paths.map((path) => describe(path, places, processes)));
  return locks.filter((lock) => lock !== undefined);
}

async function describe(path: string, places: readonly string[], processes: readonly GitProcess[]): Promise<Lock | undefined> {
  const found = await orAbsent(stat(path));
  if (!found) return undefined;
  const owner = processes.find(({ open, cwd }) => open.includes(path) || places.some((place) => isWithin(cwd, place)));
  return { path, ageMs: Date.now() - found.mtimeMs, ...defined({ owner: owner?.pid }) };
}

/** The locks of the repository, of each worktree, and of refs. In a view all but the first are links. */
async function lockFiles(gitDir: string): Promise<string[]> {
  const real = async (name: string) => (await orAbsent(realpath(join(gitDir, name)))) ?? join(gitDir, name);
  const [worktrees, refs, packed] = [await real('worktrees'), await real('refs'), await real('packed-refs')];
  const each = (await entries(worktrees)).map(({ name }) => join(worktrees, name));
  const flat = await Promise.all([...new Set([gitDir, dirname(packed), ...each])].map((folder) => locksIn(folder, false)));
  return [...flat.flat(), ...(await locksIn(refs, true))].sort();
}

async function locksIn(folder: string, deep: boolean): Promise<string[]> {
  const found = await entries(folder);
  const below = deep ? found.filter((entry) => entry.isDirectory()) : [];
  const deeper = await Promise.all(below.map(({ name }) => locksIn(join(folder, name), true)));
  return [
    ...found.filter((entry) => entry.isFile() && entry.name.endsWith('.lock')).map(({ name }) => join(folder, name)),
    ...deeper.flat(),
  ];
}

async function worktreeFolders(gitDir: string): Promise<string[]> {
  const found = await entries(join(gitDir, 'worktrees'));
  const files = await Promise.all(found.map(({ name }) => orAbsent(readFile(join(gitDir, 'worktrees', name, 'gitdir'), 'utf8'))));
  return files.flatMap((file) => file ?? []).map((file) => file.trimEnd().replace(/\/\.git$/, ''));
}

async function entries(folder: string): Promise<Dirent[]> {
  return (await orAbsent(readdir(folder, { withFileTypes: true }))) ?? [];
}

interface GitProcess {
  pid: number;
  cwd: string;
  /** Files. */
  open: readonly string[];
}

/** Git processes on this host. None if there is no `/proc`; another user's are unknown. */
async function gitProcesses(): Promise<GitProcess[]> {
  const names = (await orAbsent(readdir('/proc'))) ?? [];
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(gitProcess));
  return found.filter((process) => process !== undefined);
}

async function gitProcess(pid: string): Promise<GitProcess | undefined> {
  try {
    if (!(await readFile(`/proc/${pid}/comm`, 'utf8')).startsWith('git')) return undefined;
    const cwd = await readlink(`/proc/${pid}/cwd`);
    const descriptors = await readdir(`/proc/${pid}/fd`);
    const open = await Promise.all(descriptors.map((name) => linkAt(`/proc/${pid}/fd/${name}`)));
    return { pid: Number(pid), cwd, open };
  } catch (error) {
    if (isHidden(error)) return undefined;
    throw error;
  }
}

/** Empty for a file that was closed meanwhile. */
async function linkAt(path: string): Promise<string> {
  return await readlink(path).catch((error: unknown) => {
    if (isHidden(error)) return '';
    throw error;
  });
}

/** The process is gone, or not ours to look at. Any other trouble, such as too many open files, must not make a lock look abandoned. */
function isHidden(error: unknown): boolean {
  return ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '');
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
