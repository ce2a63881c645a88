import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Conflict, ObjectId } from '../../git-port';
import { parseUnmerged } from './conflicts';
import type { GitTools } from './git-tools';
import { isAtLeast } from './version';

export type ThreeWay = { kind: 'clean'; tree: ObjectId } | { kind: 'conflict'; conflicts: Conflict[] };

/**
 * Merges two commits with a common history into a tree, without a checkout: from git 2.38 in memory alone; before that in a scratch folder,
 * which gets the files that are merged and no others.
 */
export async function threeWay(tools: GitTools, gitDir: string, ours: ObjectId, theirs: ObjectId, signal: AbortSignal): Promise<ThreeWay> {
  const inMemory = isAtLeast(await tools.version(signal), 2, 38);
  return inMemory ? await mergeTree(tools, gitDir, ours, theirs, signal) : await mergeInScratch(tools, gitDir, ours, theirs, signal);
}

async function mergeTree({ run }: GitTools, gitDir: string, ours: ObjectId, theirs: ObjectId, signal: AbortSignal): Promise<ThreeWay> {
  const argv = ['merge-tree', '--write-tree', '-z', '--no-messages', ours, theirs];
  const { exitCode, stdout } = await run({ at: { gitDir }, argv, answers: [0, 1] }, signal);
  const end = stdout.indexOf(0);
  if (exitCode === 0) return { kind: 'clean', tree: stdout.toString('latin1', 0, end) };
  return { kind: 'conflict', conflicts: parseUnmerged(stdout.subarray(end + 1)) };
}

async function mergeInScratch(
  { run, scratch }: GitTools,
  gitDir: string,
  ours: ObjectId,
  theirs: ObjectId,
  signal: AbortSignal,
): Promise<ThreeWay> {
  const folder = await mkdtemp(join(scratch, 'thermidor-merge-'));
  try {
    const at = { gitDir, workTree: join(folder, 'files'), indexFile: join(folder, 'index') };
    await mkdir(at.workTree);
    const answer = async (argv: string[], answers = [0]) => await run({ at, argv, answers }, signal);
    const bases = (await answer(['merge-base', '--all', ours, theirs])).stdout.toString('latin1').trim().split('\n');
    await answer(['read-tree', ours]);
    const { exitCode } = await answer(['merge-recursive', ...bases, '--', ours, theirs], [0, 1]);
    if (exitCode === 0) return { kind: 'clean', tree: (await answer(['write-tree'])).stdout.toString('latin1').trim() };
    return { kind: 'conflict', conflicts: parseUnmerged((await answer(['ls-files', '--unmerged', '-z'])).stdout) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
