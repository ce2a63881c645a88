import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { WORKTREE_MARK, WORKTREE_STEP_MARK } from '../../activities/adapters/processes/inherited-limits';
import type { HostRepository } from './host-repository';
import type { WorktreeHost } from './worktree-host';
import type { WorktreeRecord } from './worktree-record';

/**
 * What programs in a worktree see beside what every command sees. Invariant: nothing in it leads into a checkout that the worktree is apart from. The
 * worker's own `PATH` does, where it was started by `npx` or in a virtual environment: programs there find the packages of that checkout.
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

/** In the environment of all that runs in a worktree: by it what is left at the end is found. */
export function markOf(folder: string): [name: string, value: string] {
  return [WORKTREE_MARK, folder];
}

/** In the environment of the steps that work there, and not of what `setup` has started, which stays for them. Where several share it, of one step alone. */
export function workMarkOf(folder: string, sharedBy?: string): [name: string, value: string] {
  return [WORKTREE_STEP_MARK, sharedBy === undefined ? folder : `${folder}#${sharedBy}`];
}

async function pathApart(path: string, apartFrom: readonly string[]): Promise<string> {
  const kept: string[] = [];
  for (const entry of path.split(delimiter)) if (!(await leadsInto(entry, apartFrom))) kept.push(entry);
  return kept.join(delimiter);
}

/** By the checkout that is nearest: a version manager in the home folder is its own, even where the home folder is one, too. */
async function leadsInto(entry: string, checkouts: readonly string[]): Promise<boolean> {
  // A relative one counts from the worktree.
  if (!isAbsolute(entry)) return false;
  const real = await realpath(entry).catch(() => entry);
  return [entry, real].some((at) => checkouts.includes(nearestCheckout(at) ?? ''));
}

function nearestCheckout(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}
