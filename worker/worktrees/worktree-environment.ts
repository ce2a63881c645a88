import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { WORKTREE_MARK, WORKTREE_STEP_MARK } from '../../activities/adapters/processes/inherited-limits';
import type { HostRepository } from './host-repository';
import type { WorktreeHost } from './worktree-host';
import type { WorktreeRecord } from './worktree-record';

/**
 * The environment of programs in a worktree, in addition to that of every command. Invariant: nothing in it leads into a checkout that the
 * worktree is apart from. The worker's own `PATH` does, if `npx` or a virtual environment started it: programs there find the packages of
 * that checkout.
 */
export async function environmentOf(
  { environment, workFolder }: WorktreeHost,
  { checkout }: HostRepository,
  { folder, portBase }: Pick<WorktreeRecord, 'folder' | 'portBase'>,
): Promise<Record<string, string>> {
  const [name, value] = markOf(folder);
  const { PATH: path } = environment;
  const apartFrom = [checkout, nearestCheckout(workFolder)].filter((found) => found !== undefined);
  const env = { THERMIDOR_PORT_BASE: String(portBase), [name]: value };
  return path === undefined ? env : { ...env, PATH: await pathApart(path, apartFrom) };
}

/** A mark in the environment of everything that runs in a worktree, by which remaining processes are found at the end. */
export function markOf(folder: string): [name: string, value: string] {
  return [WORKTREE_MARK, folder];
}

/**
 * A mark in the environment of the steps that work there, and not of what `setup` has started, which stays for them. If several steps share
 * it, of one step alone.
 */
export function workMarkOf(folder: string, sharedBy?: string): [name: string, value: string] {
  return [WORKTREE_STEP_MARK, sharedBy === undefined ? folder : `${folder}#${sharedBy}`];
}

async function pathApart(path: string, apartFrom: readonly string[]): Promise<string> {
  const kept: string[] = [];
  for (const entry of path.split(delimiter)) if (!(await leadsInto(entry, apartFrom))) kept.push(entry);
  return kept.join(delimiter);
}

/** Judged by the nearest checkout: a version manager in the home folder is separate, even if the home folder is a checkout, too. */
async function leadsInto(entry: string, checkouts: readonly string[]): Promise<boolean> {
  // A relative entry is resolved in the worktree.
  if (!isAbsolute(entry)) return false;
  // One that leads nowhere is judged by its own path.
  const real = await realpath(entry).catch(() => entry);
  return [entry, real].some((at) => checkouts.includes(nearestCheckout(at) ?? ''));
}

function nearestCheckout(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}
