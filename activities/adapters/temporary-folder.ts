import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Those of this process. */
const open = new Set<string>();
let watchesExit = false;

/**
 * Works with an empty folder, which is removed afterwards: also if the process ends meanwhile, unless it is killed. @param path its
 * beginning
 */
export async function withTemporaryFolder<T>(path: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder(path);
  try {
    return await work(folder);
  } finally {
    await removeTemporaryFolder(folder);
  }
}

/** The folder around it is made, too: that of a host may have been cleared away while its worker runs. */
export async function makeTemporaryFolder(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path);
  open.add(folder);
  if (!watchesExit) process.once('exit', removeAll);
  watchesExit = true;
  return folder;
}

export async function removeTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  open.delete(folder);
}

function removeAll(): void {
  for (const folder of open) rmSync(folder, { recursive: true, force: true });
}
