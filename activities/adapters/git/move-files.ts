import { lstat } from 'node:fs/promises';
import type { GitPath, ObjectId } from '../../git-model';
import { orAbsent } from './absent';
import { problemOf } from './failures';
import type { GitPlace } from './git-process';
import type { GitTools } from './git-tools';
import { parseRawDiff, type RawChange } from './raw-diff';
import { withIndexOf } from './scratch-index';
import { readStatus } from './status';

interface Move {
  from: ObjectId;
  to: ObjectId;
}

type WorkPlace = GitPlace & { workTree: string };

/**
 * Moves index and files of a worktree from one commit to another; returns the obstacles if that is impossible, and then nothing has moved.
 * HEAD stays. If such a move was killed halfway, it is completed: the changes then are those of the other commit.
 */
export async function moveFiles(tools: GitTools, at: WorkPlace, move: Move, signal: AbortSignal): Promise<GitPath[]> {
  await tools.run({ at, argv: ['update-index', '--refresh'], answers: [0, 1] }, signal);
  const { changes } = await readStatus(tools, at, { all: false }, signal);
  const changed = changes.filter(({ kind }) => kind !== 'untracked').map(({ path }) => path);
  if (changed.length > 0) {
    const inTheWay = await notFromMove(tools, at, move, changed, signal);
    if (inTheWay.length > 0) return inTheWay;
    await tools.run({ at, argv: ['read-tree', '--reset', '-u', move.to] }, signal);
    return [];
  }
  try {
    await tools.run({ at, argv: ['read-tree', '-m', '-u', move.from, move.to] }, signal);
    return [];
  } catch (error) {
    if (problemOf(error) !== 'failed') throw error;
    const added = (await pathsOf(tools, at, move, signal)).filter(({ change }) => change === 'added');
    const inTheWay = await thoseThere(
      at,
      added.map(({ path }) => path),
    );
    if (inTheWay.length === 0) throw error;
    return inTheWay;
  }
}

/** Somebody's changes: those unrelated to the move, those that conflict with it, and untracked files in its way. */
async function notFromMove(
  tools: GitTools,
  at: WorkPlace,
  move: Move,
  changed: readonly GitPath[],
  signal: AbortSignal,
): Promise<GitPath[]> {
  const moved = new Map((await pathsOf(tools, at, move, signal)).map((one) => [key(one.path), one]));
  const differing = await differences(tools, at, move.to, signal);
  const differs = new Set(differing.map(({ path }) => key(path)));
  const gone = [...moved.values()].filter(({ change }) => change === 'deleted').map(({ path }) => path);
  const stillThere = new Set((await thoseThere(at, gone)).map(key));
  const others = changed.filter((path) => !moved.has(key(path)) || differs.has(key(path)) || stillThere.has(key(path)));
  const unknown = differing.filter(({ path, change }) => change !== 'deleted' && moved.get(key(path))?.change === 'added');
  return [...others, ...unknown.map(({ path }) => path)];
}

/** Compares a commit with the files. With an index of its own, so that every file is read. */
async function differences(tools: GitTools, at: WorkPlace, commit: ObjectId, signal: AbortSignal): Promise<RawChange[]> {
  const compare = async (place: GitPlace) => {
    await tools.run({ at: place, argv: ['update-index', '--refresh'], answers: [0, 1] }, signal);
    return parseRawDiff((await tools.run({ at: place, argv: ['diff-files', '--raw', '-z', '--no-renames'] }, signal)).stdout);
  };
  return await withIndexOf(tools, at, commit, compare, signal);
}

async function pathsOf({ run }: GitTools, { gitDir }: WorkPlace, { from, to }: Move, signal: AbortSignal): Promise<RawChange[]> {
  return parseRawDiff(
    (await run({ at: { gitDir }, argv: ['diff-tree', '-r', '--raw', '-z', '--no-renames', from, to, '--'] }, signal)).stdout,
  );
}

async function thoseThere({ workTree }: WorkPlace, paths: readonly GitPath[]): Promise<GitPath[]> {
  const there = await Promise.all(paths.map((path) => orAbsent(lstat(Buffer.concat([Buffer.from(`${workTree}/`), path])))));
  return paths.filter((_, n) => there[n] !== undefined);
}

function key(path: GitPath): string {
  return path.toString('latin1');
}
