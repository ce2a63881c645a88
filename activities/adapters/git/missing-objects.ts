import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectId, Repository } from '../../git-model';
import { orAbsent } from './absent';
import type { GitTools } from './git-tools';

/** Whether a partial clone lacks folders or files of a commit. It asks nobody for them; of other repositories it looks at names of packs only. */
export async function isMissingObjects({ run }: GitTools, { gitDir }: Repository, commit: ObjectId, signal: AbortSignal): Promise<boolean> {
  if (!(await isPartial(gitDir))) return false;
  const argv = ['rev-list', '--objects', '--missing=print', '--no-walk', commit];
  const { stdout } = await run({ at: { gitDir }, argv }, signal);
  return /^\?/m.test(stdout.toString('latin1'));
}

/** What git has from a server that keeps the rest is in packs with a file of this kind beside them. */
async function isPartial(gitDir: string): Promise<boolean> {
  const packs = await orAbsent(readdir(join(gitDir, 'objects/pack')));
  return packs?.some((name) => name.endsWith('.promisor')) ?? false;
}
