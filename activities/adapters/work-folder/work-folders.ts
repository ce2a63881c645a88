import { randomUUID } from 'node:crypto';
import { type BigIntStats, lstatSync, renameSync } from 'node:fs';
import { constants, type FileHandle, lstat, open, realpath, rm } from 'node:fs/promises';
import { errorCode } from '../../../plan/error-code';
import { ThermidorFailure } from '../../../plan/run/failure';
import { type FileContent, type Found, type PathInFolder, ToolRefusal, type WorkFolders } from '../../tool-ports';
import { fileFailure, inFolder, linkRefusal, NO_LINKS, type OpenFolder, openPath } from './open-folder';
import { namesWithin, shownFilePath } from './path-within';
import { walkFolder } from './walk-folder';

/**
 * Files of steps on disk.
 *
 * Invariants: 1. those of open-folder.ts and path-within.ts; 2. only plain files are opened, so nothing waits for a writer and no device is
 * touched; 3. a file is written next to its name and renamed, so a reader gets a complete one, and another name of the same file (a hard
 * link, perhaps outside) keeps its content; 4. a read-only file is not replaced; 5. of several agents that change what they have read of a
 * file, within one worker, none overwrites another's change.
 *
 * A hard link that leads outside looks like a file: its creator had the right to read it.
 */
export class DiskWorkFolders implements WorkFolders {
  /** @param closed the state folder, which no path enters. A step's own folder below it is entered as any other. */
  constructor(private readonly closed?: string) {}

  async read(place: PathInFolder, limitBytes: number): Promise<FileContent> {
    const { names, name, path } = await target(place);
    return await inFolder(place.folder, names, { closed: this.closed }, async (folder) => {
      const handle = await openFile(folder, name, path);
      try {
        const before = await handle.stat({ bigint: true });
        if (!before.isFile()) throw noFile(before, path);
        return { path, content: await readAll(handle, path, limitBytes), version: versionOf(before) };
      } catch (error) {
        throw fileFailure(error, shownFilePath(path));
      } finally {
        await handle.close();
      }
    });
  }

  async write(place: PathInFolder, text: string, { ifStill }: { ifStill?: string } = {}): Promise<{ made: boolean }> {
    const { names, name, path } = await target(place);
    return await inFolder(place.folder, names, { make: true, closed: this.closed }, async (folder) => {
      const scratch = `.thermidor-${randomUUID()}.tmp`;
      try {
        const before = await replaceable(folder, name, path);
        await writeScratch(folder, scratch, text, before);
        const [written, reached] = [await openPath(folder, scratch), await openPath(folder, name)];
        if (!putInPlace(written, reached, ifStill)) throw new ToolRefusal(`${shownFilePath(path)} was changed meanwhile; read it again`);
        await folder.handle.sync();
        return { made: before === undefined };
      } catch (error) {
        await openPath(folder, scratch).then((written) => rm(written, { force: true }));
        throw fileFailure(error, shownFilePath(path));
      }
    });
  }

  async *walk(place: PathInFolder, depth: number, signal: AbortSignal): AsyncGenerator<Found> {
    yield* walkFolder(place.folder, await namesOf(place), depth, { signal, closed: this.closed });
  }
}

async function namesOf({ folder, path }: PathInFolder): Promise<string[]> {
  const real = await realpath(folder).catch((error: unknown) => {
    throw fileFailure(error, "the step's folder");
  });
  return namesWithin([folder, real], path);
}

async function target(place: PathInFolder): Promise<{ names: string[]; name: string; path: string }> {
  const all = await namesOf(place);
  const name = all.at(-1);
  if (name === undefined) throw new ToolRefusal("this is the step's folder itself, not a file");
  return { names: all.slice(0, -1), name, path: all.join('/') };
}

async function openFile(folder: OpenFolder, name: string, path: string): Promise<FileHandle> {
  const reached = await openPath(folder, name);
  const found = await statIfThere(reached);
  if (found && !found.isFile()) throw noFile(found, path);
  try {
    // A file swapped in after that check is not waited for.
    return await open(reached, constants.O_RDONLY | constants.O_NONBLOCK | NO_LINKS);
  } catch (error) {
    if (errorCode(error) === 'ELOOP') throw linkRefusal(path);
    throw fileFailure(error, shownFilePath(path));
  }
}

/** Reads the whole file, also if it grows meanwhile, or has no size. */
async function readAll(handle: FileHandle, path: string, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(64 * 1024));
    if (bytesRead === 0) return Buffer.concat(chunks);
    sizeBytes += bytesRead;
    if (sizeBytes > limitBytes) {
      const { size } = await handle.stat();
      throw new ThermidorFailure('tool.failed', `${shownFilePath(path)} has ${size} bytes; files of at most ${limitBytes} bytes are read`, {
        reason: 'too-large',
      });
    }
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

async function replaceable(folder: OpenFolder, name: string, path: string): Promise<BigIntStats | undefined> {
  const found = await statIfThere(await openPath(folder, name));
  if (found && !found.isFile()) throw noFile(found, path);
  if (found && (found.mode & 0o222n) === 0n) throw new ToolRefusal(`${shownFilePath(path)} is read-only`);
  return found;
}

async function writeScratch(folder: OpenFolder, scratch: string, text: string, before: BigIntStats | undefined): Promise<void> {
  const handle = await open(await openPath(folder, scratch), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINKS, 0o666);
  try {
    if (before) await handle.chmod(Number(before.mode & 0o777n));
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Without interruption: of two agents of this worker that have read the same file and write it in parallel, only one finds it unchanged.
 * Returns whether it was written.
 */
function putInPlace(written: string, reached: string, ifStill: string | undefined): boolean {
  if (ifStill !== undefined) {
    const now = lstatSync(reached, { bigint: true, throwIfNoEntry: false });
    if (!now || versionOf(now) !== ifStill) return false;
  }
  renameSync(written, reached);
  return true;
}

async function statIfThere(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function noFile(found: BigIntStats, path: string): ToolRefusal {
  if (found.isSymbolicLink()) return linkRefusal(path);
  const what = found.isDirectory() ? 'a folder' : 'not a plain file (it is a device, pipe or socket)';
  return new ToolRefusal(`${shownFilePath(path)} is ${what}`);
}

function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
