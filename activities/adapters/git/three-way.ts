import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Conflict, ObjectId } from '../../git-model';
import type { GitPlace } from './git-process';
import type { GitTools } from './git-tools';
import { nulParts } from './listings';
import { unlessNothing } from './questions';
import { withFolder, withIndexOf } from './scratch-index';
import { isAtLeast } from './version';

export type ThreeWay =
  | { kind: 'clean'; tree: ObjectId }
  | { kind: 'conflict' /** The tree, with conflict markers in the files. */; tree: ObjectId; conflicts: Conflict[] };

/**
 * Merges two commits with a common history into a tree, without a checkout: from git 2.38 in memory alone; before that in a scratch folder,
 * which gets only the merged files. Attributes, such as `merge=union`, are those of the first.
 */
export async function threeWay(tools: GitTools, gitDir: string, ours: ObjectId, theirs: ObjectId, signal: AbortSignal): Promise<ThreeWay> {
  const isInMemory = isAtLeast(await tools.version(signal), 2, 38);
  if (isInMemory && !(await hasAttributes(tools, gitDir, ours, signal))) {
    return await withFolder(tools, (folder) => mergeInMemory(tools, { gitDir, workTree: folder }, { ours, theirs }, signal));
  }
  const merge = isInMemory ? mergeInMemory : mergeInFolder;
  const mergeThere = async (place: GitPlace, folder: string) => {
    const at = { ...place, workTree: join(folder, 'files') };
    await mkdir(at.workTree, { mode: 0o700 });
    await writeAttributes(tools, at, signal);
    return await merge(tools, at, { ours, theirs }, signal);
  };
  return await withIndexOf(tools, { gitDir }, ours, mergeThere, signal);
}

/** Few repositories have any: without them a merge needs neither index nor files. */
async function hasAttributes({ ask }: GitTools, gitDir: string, commit: ObjectId, signal: AbortSignal): Promise<boolean> {
  const argv = ['grep', '--quiet', '--no-textconv', '-e', '', commit, '--', ':(glob)**/.gitattributes'];
  return (await unlessNothing(ask({ at: { gitDir }, argv }, signal))) !== undefined;
}

/** Git reads attributes from files, even if it merges in memory: from its current folder, which is otherwise the repository's own. */
async function writeAttributes({ run }: GitTools, at: GitPlace, signal: AbortSignal): Promise<void> {
  const { stdout } = await run({ at, argv: ['ls-files', '-z', '--', ':(top,glob)**/.gitattributes'] }, signal);
  if (stdout.byteLength > 0) await run({ at, argv: ['checkout-index', '--index', '-z', '--stdin'], stdin: stdout }, signal);
}

interface Sides {
  ours: ObjectId;
  theirs: ObjectId;
}

async function mergeInMemory({ run }: GitTools, at: GitPlace, { ours, theirs }: Sides, signal: AbortSignal): Promise<ThreeWay> {
  const argv = ['merge-tree', '--write-tree', '-z', '--no-messages', ours, theirs];
  const { exitCode, stdout } = await run({ at, argv, answers: [0, 1] }, signal);
  const end = stdout.indexOf(0);
  if (exitCode === 0) return { kind: 'clean', tree: stdout.toString('latin1', 0, end) };
  return { kind: 'conflict', tree: stdout.toString('latin1', 0, end), conflicts: parseUnmerged(stdout.subarray(end + 1)) };
}

async function mergeInFolder({ run }: GitTools, at: GitPlace, { ours, theirs }: Sides, signal: AbortSignal): Promise<ThreeWay> {
  const answer = async (argv: string[], answers = [0]) => await run({ at, argv, answers }, signal);
  const bases = (await answer(['merge-base', '--all', ours, theirs])).stdout.toString('latin1').trim().split('\n');
  const { exitCode } = await answer(['merge-recursive', ...bases, '--', ours, theirs], [0, 1]);
  if (exitCode === 0) return { kind: 'clean', tree: (await answer(['write-tree'])).stdout.toString('latin1').trim() };
  const conflicts = parseUnmerged((await answer(['ls-files', '--unmerged', '-z'])).stdout);
  const paths = Buffer.concat(conflicts.flatMap(({ path }) => [path, Buffer.of(0)]));
  await run({ at, argv: ['update-index', '--add', '--remove', '-z', '--stdin'], stdin: paths }, signal);
  return { kind: 'conflict', tree: (await answer(['write-tree'])).stdout.toString('latin1').trim(), conflicts };
}

/** Lines of `mode id stage TAB path`, those of one path together. */
function parseUnmerged(listing: Buffer): Conflict[] {
  const found = new Map<string, { path: Buffer; stages: Conflict['stages'][number][] }>();
  for (const part of nulParts(listing)) {
    const tab = part.indexOf(0x09);
    const [mode = '', id = '', digit = ''] = part.toString('latin1', 0, tab).split(' ');
    const stage = STAGES.find((one) => String(one) === digit);
    if (tab < 0 || stage === undefined) continue;
    const path = part.subarray(tab + 1);
    const key = path.toString('latin1');
    const conflict = found.get(key) ?? { path, stages: [] };
    conflict.stages.push({ stage, mode, id });
    found.set(key, conflict);
  }
  return [...found.values()];
}

const STAGES = [1, 2, 3] as const;
