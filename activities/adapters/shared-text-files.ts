import { isUtf8 } from 'node:buffer';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { ThermidorFailure } from '../../plan/run/failure';
import { field } from '../../plan/text/json';
import { makeFolder, replaceFile, unlessGone } from '../../records/directory/durable-file';
import { LockHeld, withFileLock } from '../../records/locks/file-lock';
import type { SharedFiles } from '../ports';

/** Modes of new files and folders: they are the team's, and the umask decides. */
const NEW_MODE = 0o666;
const NEW_FOLDER_MODE = 0o777;
/** Longest wait for another process that writes. */
const PATIENCE_MS = 30_000;
/** How often a process without the lock, such as an editor, may write in between. */
const MOST_TRIES = 10;

/**
 * Shared files on disk. Processes of this machine write one after the other, by a lock next to the file (`.<name>.lock`). An editor ignores
 * the lock, so the file is read once more before it is replaced.
 */
export class DiskSharedFiles implements SharedFiles {
  async read(path: string, limitBytes: number): Promise<string | undefined> {
    return await named(path, 'read', () => readText(resolve(path), limitBytes));
  }

  async edit(path: string, limitBytes: number, change: (text: string | undefined) => string): Promise<void> {
    await named(path, 'written', async () => {
      const target = await followed(resolve(path));
      const folder = dirname(target);
      await makeFolder(folder, NEW_FOLDER_MODE);
      await withFileLock(join(folder, `.${basename(target)}.lock`), () => replaced(target, limitBytes, change), {
        patienceMs: PATIENCE_MS,
      });
    });
  }
}

async function replaced(path: string, limitBytes: number, change: (text: string | undefined) => string): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = await readText(path, limitBytes);
    const text = change(before);
    if (text === before) return;
    if (Buffer.byteLength(text) > limitBytes) throw tooLarge(path, Buffer.byteLength(text), limitBytes);
    if ((await readText(path, limitBytes)) !== before) continue;
    const mode = ((await unlessGone(() => stat(path)))?.mode ?? NEW_MODE) & 0o777;
    await replaceFile({ path, scratch: dirname(path), mode }, text);
    return;
  }
  throw new ThermidorFailure('memory.unusable', `${path} cannot be written: it changes again and again`, { path });
}

async function readText(path: string, limitBytes: number): Promise<string | undefined> {
  const found = await unlessGone(() => stat(path));
  if (!found) return undefined;
  if (!found.isFile()) throw new ThermidorFailure('memory.unusable', `${path} is not a file`, { path });
  if (found.size > limitBytes) throw tooLarge(path, found.size, limitBytes);
  const bytes = await readFile(path);
  if (!isUtf8(bytes)) throw new ThermidorFailure('memory.unusable', `${path} is not UTF-8`, { path });
  return bytes.toString('utf8');
}

/** A symbolic link stays, and its target is written. */
async function followed(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return path;
    throw error;
  }
}

function tooLarge(path: string, sizeBytes: number, limitBytes: number): ThermidorFailure {
  return new ThermidorFailure('memory.too-large', `${path} would have ${sizeBytes} bytes; at most ${limitBytes} are taken`, {
    path,
    sizeBytes,
    limitBytes,
  });
}

async function named<T>(path: string, done: 'read' | 'written', work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof LockHeld ? error.message : isOfSystem(error) ? errorCode(error) : undefined;
    if (reason === undefined) throw error;
    throw new ThermidorFailure('memory.unusable', `${path} cannot be ${done}: ${reason}`, { path, reason });
  }
}

/** Whether the error is one of the file system, not of `change`. */
function isOfSystem(error: unknown): boolean {
  return field(error, 'syscall') !== undefined;
}
