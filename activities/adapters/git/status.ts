import type { GitPath, StatusChange, WorktreeStatus } from '../../git-model';
import type { GitPlace } from './git-process';
import type { GitTools } from './git-tools';
import { nulParts } from './listings';

/**
 * The changes of a work tree. Nothing is written, not even the index.
 *
 * @param all lists every untracked file; else a folder of untracked files is one change
 * @param apart counts only a submodule's commit: git would ask it for its changes, by its own configuration
 */
export async function readStatus(
  { run }: GitTools,
  at: GitPlace,
  { all, apart }: { all: boolean; apart?: true },
  signal: AbortSignal,
): Promise<WorktreeStatus> {
  const argv = [
    'status',
    '--porcelain=v2',
    '-z',
    '--branch',
    '--no-ahead-behind',
    '--find-renames',
    `--untracked-files=${all ? 'all' : 'normal'}`,
    ...(apart ? ['--ignore-submodules=dirty'] : []),
  ];
  return parseStatus((await run({ at, argv }, signal)).stdout);
}

/** A path whose content differs from HEAD. */
export interface TreeChange {
  kind: 'changed' | 'unmerged' | 'untracked';
  path: GitPath;
  /** The index differs from HEAD. */
  staged: boolean;
  /** The files differ from the index. */
  unstaged: boolean;
  /** The modes in HEAD, in the index, and in the files; empty for an untracked path. */
  modes: readonly string[];
}

export const GITLINK = '160000';

/** All that a commit would have, every file. As `readStatus` apart from submodules, and without looking for renames. */
export async function readChanges(
  { run }: GitTools,
  at: GitPlace,
  signal: AbortSignal,
): Promise<Pick<WorktreeStatus, 'head' | 'branch'> & { changes: TreeChange[] }> {
  const argv = [
    ...['status', '--porcelain=v2', '-z', '--branch', '--no-ahead-behind', '--no-renames'],
    ...['--untracked-files=all', '--ignore-submodules=dirty'],
  ];
  const listing = (await run({ at, argv }, signal)).stdout;
  const { changes: _changes, ...status } = parseStatus(listing);
  return { ...status, changes: nulParts(listing).flatMap(treeChange) };
}

function treeChange(part: Buffer): TreeChange[] {
  const fields = FIELDS[String.fromCharCode(part[0] ?? 0)];
  if (!fields || fields.kind === 'renamed') return [];
  const { kind, before } = fields;
  const path = part.subarray(behindFields(part, before));
  if (kind === 'untracked') return [{ kind, path, staged: false, unstaged: true, modes: [] }];
  const [, states = '', , ...modes] = part.toString('latin1').split(' ', 6);
  return [{ kind, path, staged: states[0] !== '.', unstaged: states[1] !== '.', modes }];
}

/** The fields before the path, by the kind of a line. */
const FIELDS: Readonly<Record<string, { kind: StatusChange['kind']; before: number }>> = {
  '1': { kind: 'changed', before: 8 },
  // The earlier path is in a part of its own.
  '2': { kind: 'renamed', before: 9 },
  u: { kind: 'unmerged', before: 10 },
  '?': { kind: 'untracked', before: 1 },
};

function parseStatus(listing: Buffer): WorktreeStatus {
  const status: WorktreeStatus = { changes: [] };
  const parts = nulParts(listing).values();
  for (const part of parts) {
    const text = part.toString('latin1');
    const head = /^# branch\.(oid|head) (.*)$/s.exec(text);
    if (head?.[1] === 'oid' && head[2] !== '(initial)') status.head = head[2] ?? '';
    if (head?.[1] === 'head' && head[2] !== '(detached)') status.branch = part.subarray('# branch.head '.length).toString('utf8');
    const fields = FIELDS[text.charAt(0)];
    if (!fields) continue;
    const change: StatusChange = { kind: fields.kind, path: part.subarray(behindFields(part, fields.before)) };
    if (fields.kind === 'renamed') change.from = parts.next().value ?? Buffer.alloc(0);
    status.changes.push(change);
  }
  return status;
}

function behindFields(part: Buffer, count: number): number {
  let at = 0;
  for (let n = 0; n < count; n++) at = part.indexOf(0x20, at) + 1;
  return at;
}
