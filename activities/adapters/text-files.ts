import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { ThermidorFailure } from '../../plan/run/failure';
import { makeFolder, replaceFile, unlessGone } from '../../records/directory/durable-file';
import type { TextFiles } from '../ports';
import { whyNotRead } from './plain-file';

/** The mode of a new file: only its user may see what a pipe remembers. */
const NEW_MODE = 0o600;
/** The mode of a new folder: it is the author's, and the umask decides. */
const NEW_FOLDER_MODE = 0o777;

/** The author's files on disk. File system errors are `stage.failed`, which Temporal does not retry. */
export class DiskTextFiles implements TextFiles {
  async read(path: string, limitBytes: number): Promise<string | undefined> {
    return await named(path, 'read', async () => {
      const found = await unlessGone(() => stat(path));
      if (!found) return undefined;
      const problem = whyNotRead(found);
      if (problem !== undefined) throw new ThermidorFailure('stage.failed', `${path} cannot be read: ${problem}`, { path });
      if (found.size > limitBytes) {
        throw new ThermidorFailure('output.too-large', `${path} has ${found.size} bytes; at most ${limitBytes} are read`, { path });
      }
      return await readFile(path, 'utf8');
    });
  }

  async write(path: string, text: string): Promise<void> {
    await named(path, 'written', async () => {
      const mode = ((await unlessGone(() => stat(path)))?.mode ?? NEW_MODE) & 0o777;
      await makeFolder(dirname(path), NEW_FOLDER_MODE);
      // Next to the file itself: only there is it sure to be on the same file system.
      await replaceFile({ path, scratch: dirname(path), mode }, text);
    });
  }
}

async function named<T>(path: string, done: 'read' | 'written', work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof ThermidorFailure || code === undefined) throw error;
    throw new ThermidorFailure('stage.failed', `${path} cannot be ${done}: ${code}`, { path, reason: code });
  }
}
