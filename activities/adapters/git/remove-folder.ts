import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../../plan/error-code';

/** Removes a folder with everything in it, even in read-only folders, such as caches of modules. The targets of links stay. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await remove(folder);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
    await openFolders(folder);
    await remove(folder);
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await openFolders(join(folder, entry.name));
  }
}
