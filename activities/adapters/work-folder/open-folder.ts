import { existsSync, type Stats } from 'node:fs';
import { constants, type FileHandle, lstat, mkdir, open, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../../plan/defined';
import { errorCode } from '../../../plan/error-code';
import { ThermidorFailure } from '../../../plan/run/failure';
import { ToolRefusal } from '../../tool-ports';
import { shownFilePath } from './path-within';

/**
 * Folders that are held open during an operation. Node has no `openat`; if the system shows open descriptors as folders (Linux,
 * `/proc/self/fd`) a name is resolved in exactly that folder, whatever its path leads to by then.
 *
 * Invariants: 1. no symbolic link is followed below the root, neither for a file nor for a folder on the way; 2. on Linux nothing that is
 * renamed or swapped meanwhile leads outside; elsewhere a folder's path is compared with the open folder before it is used, and a short
 * race remains (macOS refuses links on the whole path when it opens files, so the race remains only for created or renamed names);
 * 3. a closed folder is not entered, whatever name leads to it.
 */
const BY_DESCRIPTOR = process.platform === 'linux' && existsSync('/proc/self/fd');
/** Darwin's O_NOFOLLOW_ANY: no link anywhere on the path. */
const NO_LINK_ANYWHERE = process.platform === 'darwin' ? 0x2000_0000 : 0;
export const NO_LINKS = constants.O_NOFOLLOW | NO_LINK_ANYWHERE;

export interface OpenFolder {
  handle: FileHandle;
  path: string;
  /** A folder that is not entered: the worker's own state, in which agents would grant themselves what they like. */
  closed?: string;
}

/** The path of a name in the folder. Fails if the folder's path now leads elsewhere. */
export async function openPath({ handle, path }: OpenFolder, name: string): Promise<string> {
  if (BY_DESCRIPTOR) return `/proc/self/fd/${handle.fd}/${name}`;
  const [held, there] = [await handle.stat(), await lstat(path)];
  if (held.dev !== there.dev || held.ino !== there.ino) throw new ToolRefusal(`${shownFilePath(path)} was moved meanwhile`);
  return join(path, name);
}

/** The folder itself, even if somebody else made it: links that lead to it are followed. */
async function openRoot(folder: string, closed: string | undefined): Promise<OpenFolder> {
  try {
    const path = await realpath(folder);
    const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
    return await unlessClosed({ handle, path, ...defined({ closed }) }, "the step's folder");
  } catch (error) {
    throw fileFailure(error, "the step's folder");
  }
}

/** The subfolder, created if `make` says so. The parent stays open. */
export async function enterSubfolder(above: OpenFolder, name: string, make: boolean): Promise<OpenFolder> {
  const [path, reached] = [join(above.path, name), await openPath(above, name)];
  if (make) await made(reached, name);
  try {
    const handle = await open(reached, constants.O_RDONLY | constants.O_DIRECTORY | NO_LINKS);
    return await unlessClosed({ handle, path, ...defined({ closed: above.closed }) }, shownFilePath(name));
  } catch (error) {
    const found = ['ENOTDIR', 'ELOOP', 'EMLINK'].includes(errorCode(error) ?? '') ? await lstat(reached) : undefined;
    if (found?.isSymbolicLink()) throw linkRefusal(name);
    if (found) throw new ToolRefusal(`${shownFilePath(name)} is not a folder`);
    throw fileFailure(error, shownFilePath(name));
  }
}

/** Goes by the folder itself: its name may have other spellings, as on file systems that take capitals for the same. */
async function unlessClosed(held: OpenFolder, what: string): Promise<OpenFolder> {
  const [here, closed] = [await held.handle.stat(), held.closed === undefined ? undefined : await statIfThere(held.closed)];
  if (!closed || here.dev !== closed.dev || here.ino !== closed.ino) return held;
  await held.handle.close();
  throw new ToolRefusal(`${what} is Thermidor's own; it is neither read nor written`);
}

/** A folder that cannot be looked at for another reason, such as too many open files, must not pass for one that is not there. */
async function statIfThere(path: string): Promise<Stats | undefined> {
  return await stat(path).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  });
}

async function made(path: string, name: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw fileFailure(error, shownFilePath(name));
  }
}

/** Does something in the folder that the names lead to. */
export async function inFolder<T>(
  folder: string,
  names: readonly string[],
  { make = false, closed }: { make?: boolean; closed?: string | undefined },
  work: (held: OpenFolder) => Promise<T>,
): Promise<T> {
  let held = await openRoot(folder, closed);
  try {
    for (const name of names) {
      const below = await enterSubfolder(held, name, make);
      const above = held;
      held = below;
      await above.handle.close();
    }
    return await work(held);
  } finally {
    await held.handle.close();
  }
}

export function linkRefusal(name: string): ToolRefusal {
  return new ToolRefusal(`${shownFilePath(name)} is a symbolic link; links are not followed, so name the file itself`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EACCES: 'may not be opened by the user this worker runs as',
  EPERM: 'may not be changed by the user this worker runs as',
  EROFS: 'is on a file system that is read-only',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the disk quota is used up',
  ENOTDIR: 'is below a file',
  EISDIR: 'is a folder',
  ENAMETOOLONG: 'has too long a name',
  EMFILE: 'cannot be opened: too many files are open',
  ENFILE: 'cannot be opened: too many files are open',
};

/** A file system error as the agent sees it. Other errors are thrown on unchanged. */
export function fileFailure(error: unknown, what: string): unknown {
  const code = errorCode(error);
  if (error instanceof ThermidorFailure || error instanceof ToolRefusal || code === undefined) return error;
  return new ThermidorFailure('tool.failed', `${what} ${REASONS[code] ?? `cannot be used: the file system answered ${code}`}`, {
    reason: code,
  });
}
