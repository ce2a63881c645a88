import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectId } from '../../git-model';
import type { GitPlace } from './git-process';
import type { GitTools } from './git-tools';

/**
 * Calls with an index of its own, which has a commit's tree, and a folder that is gone afterwards. Git's own index of a checkout is somebody's: it is
 * neither written nor read, for the attributes in it would count.
 */
export async function withIndexOf<T>(
  tools: GitTools,
  at: GitPlace,
  commit: ObjectId,
  work: (at: GitPlace & { indexFile: string }, folder: string) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return await withFolder(tools, async (folder) => {
    const place = { ...at, indexFile: join(folder, 'index') };
    await tools.run({ at: place, argv: ['read-tree', commit] }, signal);
    return await work(place, folder);
  });
}

/** An empty one, which is gone afterwards. */
export async function withFolder<T>({ scratch }: Pick<GitTools, 'scratch'>, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(scratch, 'thermidor-index-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
