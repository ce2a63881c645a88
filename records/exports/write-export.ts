import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { STATE_FILE_MODE, STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import { type ExportedFile, type ExportManifest, type Holds, MANIFEST } from './export-manifest';
import { ExportProblem } from './export-problem';

export type Pieces = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

export interface ExportWriter {
  readonly files: readonly ExportedFile[];
  /** Writes a file, piece by piece. */
  add(path: string, pieces: Pieces, holds: Holds): Promise<ExportedFile>;
}

/**
 * Makes a folder of an export: completely or not at all.
 *
 * Invariants: 1. everything is written into a folder next to it, which gets the name at the end: one that was broken off has another name,
 * and no manifest; 2. a folder that has anything in it stays as it is; 3. only the owner can read it. Fails with `export.folder-not-empty`,
 * `export.unwritable`, and as `write` does.
 */
export async function writeExport(
  folder: string,
  write: (writer: ExportWriter) => Promise<Omit<ExportManifest, 'files'>>,
): Promise<ExportManifest> {
  await onDisk(folder, () => requireFree(folder));
  const partial = join(dirname(folder), `${basename(folder)}.${randomUUID().slice(0, 8)}.part`);
  await onDisk(folder, () => mkdir(partial, { recursive: true, mode: STATE_FOLDER_MODE }));
  try {
    const files: ExportedFile[] = [];
    const manifest = await write({
      files,
      async add(path, pieces, holds) {
        const file = { path, ...(await onDisk(folder, () => writePieces(join(partial, ...path.split('/')), pieces))), holds };
        files.push(file);
        return file;
      },
    });
    const whole = { ...manifest, files };
    await onDisk(folder, () => writePieces(join(partial, MANIFEST), manifestTexts(whole)));
    await onDisk(folder, () => rename(partial, folder));
    return whole;
  } finally {
    // After the renaming there is nothing of that name.
    await rm(partial, { recursive: true, force: true });
  }
}

async function requireFree(folder: string): Promise<void> {
  try {
    if ((await readdir(folder)).length === 0) return;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  throw notEmpty(folder);
}

function notEmpty(folder: string): ExportProblem {
  return new ExportProblem('export.folder-not-empty', `${folder} has files in it`, 'name a folder that is empty, or that does not exist');
}

async function writePieces(path: string, pieces: Pieces): Promise<{ sizeBytes: number; sha256: string }> {
  await mkdir(dirname(path), { recursive: true, mode: STATE_FOLDER_MODE });
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const handle = await open(path, 'wx', STATE_FILE_MODE);
  try {
    for await (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      hash.update(bytes);
      sizeBytes += bytes.byteLength;
      await handle.writeFile(bytes);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** A file a line. */
function* manifestTexts({ files, ...rest }: ExportManifest): Generator<string> {
  yield `${JSON.stringify(rest, null, 2).slice(0, -2)},\n  "files": [`;
  for (const [at, file] of files.entries()) yield `${at === 0 ? '' : ','}\n    ${JSON.stringify(file)}`;
  yield '\n  ]\n}\n';
}

async function onDisk<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') throw notEmpty(folder);
    throw new ExportProblem('export.unwritable', `${folder} cannot be written: ${error.message}`, undefined, { cause: error });
  }
}

/** By shape, as `errorCode`. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return errorCode(error) !== undefined && typeof error === 'object' && error !== null && 'syscall' in error;
}
