import { createHash } from 'node:crypto';
import { constants, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { ARTIFACT_LIMIT_BYTES } from '../../plan/run/artifact';
import { jsonIn } from '../../plan/text/json-text';
import { DOCUMENT_LIMIT_BYTES, type ExportedFile, type ExportManifest, MANIFEST, readManifest } from './export-manifest';
import { damaged, ExportProblem } from './export-problem';

export interface ReadableExport {
  manifest: ExportManifest;
  /** The digest of the manifest: it stands for all that the export has. */
  sha256: string;
  /** The bytes of a file, which have the size and digest of the manifest. Fails with `import.damaged`. */
  read(file: ExportedFile): Promise<Buffer>;
}

/**
 * Opens an export. Nothing outside of the folder is read, whatever its names and links say. Fails with `import.no-export`,
 * `import.version`, `import.damaged`.
 */
export async function openExport(given: string): Promise<ReadableExport> {
  const folder = await realpath(given).catch((error: unknown) => {
    throw noExport(given, error);
  });
  const text = await readWithin(folder, MANIFEST, DOCUMENT_LIMIT_BYTES).catch((error: unknown) => {
    throw errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR' ? noExport(given, error) : error;
  });
  return {
    manifest: readManifest(jsonIn(text.toString('utf8'))),
    sha256: createHash('sha256').update(text).digest('hex'),
    async read({ path, sizeBytes, sha256, holds }) {
      const limitBytes = holds.kind === 'artifact' ? ARTIFACT_LIMIT_BYTES : DOCUMENT_LIMIT_BYTES;
      if (sizeBytes > limitBytes) throw damaged(path, `has ${sizeBytes} bytes; at most ${limitBytes} are read`);
      const bytes = await readWithin(folder, path, sizeBytes).catch((error: unknown) => {
        throw errorCode(error) === 'ENOENT' ? damaged(path, 'is missing') : error;
      });
      if (bytes.byteLength !== sizeBytes) throw damaged(path, `has ${bytes.byteLength} bytes, and not ${sizeBytes}`);
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw damaged(path, 'has another digest than the manifest says');
      return bytes;
    },
  };
}

function noExport(folder: string, cause: unknown): ExportProblem {
  return new ExportProblem('import.no-export', `${folder} has no ${MANIFEST}`, 'name a folder that `thermidor export` made', { cause });
}

/** A file, no larger than said; neither it nor a folder on the way is a link, and it is no pipe or device. */
async function readWithin(folder: string, path: string, mostBytes: number): Promise<Buffer> {
  const place = join(folder, ...path.split('/'));
  if ((await realpath(place)) !== place) throw damaged(path, 'is a link to somewhere else');
  const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw damaged(path, 'is no file');
    if (found.size > mostBytes) throw damaged(path, `has ${found.size} bytes, and not ${mostBytes}`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
