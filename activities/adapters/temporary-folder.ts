import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';

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

export async function makeTemporaryFolder(path: string): Promise<string> {
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
