import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { ThermidorFailure } from '../../plan/run/failure';
import { STATE_FILE_MODE, STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import { type FileIdentity, RecentFiles } from './recent-files';

/**
 * Files that survive a crash of process or machine, whatever their content.
 *
 * Invariants: 1. a target is either missing or complete; 2. when a function here returns, its effect is on disk: content and folder entry
 * are both synced; 3. a crash leaves remains only in the `scratch` folder; 4. only their owner can access files and folders unless a caller
 * asks for another mode.
 */
export interface WriteTarget {
  path: string;
  /** Where the content is written before it gets its name; on the same file system. */
  scratch: string;
  /** @default STATE_FILE_MODE */
  mode?: number;
}

/** Writes the file, replacing an existing one. */
export async function replaceFile(target: WriteTarget, content: string | Uint8Array): Promise<void> {
  await viaScratch(target, content, (written) => rename(written, target.path));
}

/** Writes the file unless it exists; returns false if it does. */
export async function createFile(target: WriteTarget, content: string | Uint8Array): Promise<boolean> {
  let created = true;
  await viaScratch(target, content, async (written) => {
    try {
      // Unlike rename, link never replaces: of two processes exactly one wins.
      await link(written, target.path);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      created = false;
    }
  });
  return created;
}

async function viaScratch(target: WriteTarget, content: string | Uint8Array, name: (written: string) => Promise<void>): Promise<void> {
  const written = join(target.scratch, randomUUID());
  try {
    await makeFolder(target.scratch);
    await makeFolder(dirname(target.path));
    const handle = await open(written, 'wx', target.mode ?? STATE_FILE_MODE);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await name(written);
    await syncPath(dirname(target.path));
  } finally {
    await rm(written, { force: true });
  }
}

/** Undefined if there is no such file. */
export function readIfThere(path: string): Promise<Buffer | undefined> {
  return unlessGone(() => readFile(path));
}

/** The names in a folder; empty if there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await unlessGone(() => readdir(folder))) ?? [];
}

/** Undefined if the file or folder does not exist. */
export async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the file, replacing an existing one: complete for everyone at once, but durable only once it and its folder are synced. */
export async function writeWhole(target: WriteTarget, content: string | Uint8Array): Promise<void> {
  const written = join(target.scratch, randomUUID());
  try {
    await makeFolder(target.scratch);
    await makeFolder(dirname(target.path));
    await writeFile(written, content, { flag: 'wx', mode: target.mode ?? STATE_FILE_MODE });
    await rename(written, target.path);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

/** Files whose entries this process has synced. */
const syncedEntries = new RecentFiles();

/** Makes a file's entry in its folder durable: needed once in its life, and done once by each process that depends on it. */
export async function syncEntry(path: string, file: FileIdentity): Promise<void> {
  if (syncedEntries.has(path, file)) return;
  await syncPath(dirname(path));
  syncedEntries.add(path, file);
}

/** Creates a folder and those above it, each one's entry synced. */
export async function makeFolder(folder: string, mode = STATE_FOLDER_MODE): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncPath(dirname(made));
}

/** Syncs a file, or the entries of a folder. */
export async function syncPath(path: string): Promise<FileIdentity> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
    return await handle.stat();
  } finally {
    await handle.close();
  }
}

/** Removes remains of crashed writers from a scratch folder; a file younger than `olderThanMs` may still be in use. */
export async function sweepScratch(scratch: string, olderThanMs: number, nowMs: number): Promise<void> {
  for (const name of await namesIn(scratch)) {
    const path = join(scratch, name);
    const age = await stat(path).then(
      (found) => nowMs - found.mtimeMs,
      () => 0,
    );
    if (age > olderThanMs) await rm(path, { force: true });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the disk quota is used up; free some space',
  EROFS: 'the file system is read-only; choose another state folder',
  EACCES: 'access is denied; let this user write there',
  EPERM: 'access is denied; let this user write there',
  ENOENT: 'its folder cannot be made; is the file system read-only?',
  ENOTDIR: 'a file is in the place of a folder; move it away',
  EMFILE: 'too many files are open; raise the limit',
};

/** Runs file work; a file system error becomes `store.unavailable` and names the path. */
export async function onDisk<T>(what: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof ThermidorFailure || code === undefined) throw error;
    const reason = REASONS[code] ?? `the file system answered ${code}`;
    throw new ThermidorFailure('store.unavailable', `${what} ${path} cannot be used: ${reason}`, { path, reason: code });
  }
}
