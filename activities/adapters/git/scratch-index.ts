import { join } from 'node:path';
import type { ObjectId } from '../../git-model';
import { withTemporaryFolder } from '../temporary-folder';
import type { GitPlace } from './git-process';
import type { GitTools } from './git-tools';

/**
 * Runs calls with an index of its own that has a commit's tree, and a folder that is removed afterwards. A checkout's own index is
 * somebody's: it is neither written nor read, because its attributes would count.
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

/** An empty folder, which is removed afterwards. */
export async function withFolder<T>({ scratch }: Pick<GitTools, 'scratch'>, work: (folder: string) => Promise<T>): Promise<T> {
  return await withTemporaryFolder(join(scratch, 'thermidor-index-'), work);
}
