import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectId, Repository } from '../../git-model';
import { orAbsent } from './absent';
import type { GitTools } from './git-tools';

/**
 * Whether a partial clone lacks folders or files of a commit. It asks no remote for them; in other repositories it only checks the names of
 * packs.
 */
export async function isMissingObjects({ run }: GitTools, { gitDir }: Repository, commit: ObjectId, signal: AbortSignal): Promise<boolean> {
  if (!(await isPartial(gitDir))) return false;
  const argv = ['rev-list', '--objects', '--missing=print', '--no-walk', commit];
  const { stdout } = await run({ at: { gitDir }, argv }, signal);
  return /^\?/m.test(stdout.toString('latin1'));
}

/** Objects from a server that keeps the rest are in packs with a file of this kind next to them. */
async function isPartial(gitDir: string): Promise<boolean> {
  const packs = await orAbsent(readdir(join(gitDir, 'objects/pack')));
  return packs?.some((name) => name.endsWith('.promisor')) ?? false;
}
