import { basename, join } from 'node:path';
import { repositoryFailure } from '../../activities/adapters/git/failures';
import type { Git } from '../../activities/git-port';
import type { WorktreePlace } from '../../activities/worktree-port';
import { ThermidorFailure } from '../../plan/run/failure';
import { makeFolder, onDisk } from '../../records/directory/durable-file';
import { withFileLock } from '../../records/locks/file-lock';
import { folderProblem } from './folder-problem';
import { digest, readable, worktreeName } from './names';
import { type WorktreeId, type WorktreeRecords, worktreeRecords } from './worktree-records';
import { DEFAULT_PORTS, type PortRange, type WorktreeSettings } from './worktree-settings';
import { worktreesLayout } from './worktrees-layout';

export interface WorktreeHostOptions {
  git: Git;
  settings: WorktreeSettings;
  /** The id of this host. */
  id(): Promise<string>;
  /** The id of the store that has the runs. */
  storeId(): Promise<string>;
  namespace: string;
  taskQueue: string;
  /** Paths of repositories count from here. */
  workFolder: string;
  /** The worker's. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** The shared context of one host's worktrees. */
export interface WorktreeHost extends Omit<WorktreeHostOptions, 'settings'> {
  root: string;
  layout: ReturnType<typeof worktreesLayout>;
  records: WorktreeRecords;
  ports: PortRange;
}

export function worktreeHost({ settings, ...options }: WorktreeHostOptions): WorktreeHost {
  const root = settings.folder;
  return { ...options, root, layout: worktreesLayout(root), records: worktreeRecords(root), ports: settings.ports ?? DEFAULT_PORTS };
}

/** One process at a time in a slot of a run, whatever the epoch. */
export async function inSlot<T>(
  host: Locks,
  { run, slot }: Pick<WorktreeId, 'run' | 'slot'>,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  return await locked(host, `slot-${digest(run, slot)}`, signal, work);
}

type Locks = Pick<WorktreeHost, 'root' | 'layout'>;

/**
 * One process at a time on this host. It waits as long as it takes: a killed holder has an heir at once. If the folder of worktrees is
 * taken away meanwhile, as with a disk, whatever fails of it fails with `store.unavailable`, and is tried again.
 */
export async function locked<T>(host: Locks, name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return await onDisk('the folder of worktrees', host.root, async () => {
    await makeFolder(host.layout.locks);
    const guarded = async (isHeld: () => boolean): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        signal.throwIfAborted();
        throw isHeld() ? error : takenAway(host.root, error);
      }
    };
    return await withFileLock(join(host.layout.locks, name), guarded, { signal, patienceMs: Number.POSITIVE_INFINITY });
  });
}

export function idOf({ key, slot, epoch }: WorktreePlace): WorktreeId {
  return { run: key.run, slot, epoch };
}

/** The repository of a worktree, and the view of it. */
export function ownPlaces({ layout }: Pick<WorktreeHost, 'layout'>, id: WorktreeId): { folder: string; view: string } {
  const name = worktreeName(id);
  return { folder: join(layout.repositories, name), view: join(layout.views, name) };
}

export function cloneOf({ layout }: WorktreeHost, identity: string): string {
  return join(layout.clones, `${readable(basename(identity))}-${digest(identity)}.git`);
}

/** Fails if a worktree in this folder would find missing files elsewhere. */
export function requireApart({ root }: WorktreeHost): void {
  const found = folderProblem(root);
  if (found) throw unavailable(`the folder of worktrees ${root} ${found.says}`, found.hint);
}

export function unavailable(message: string, hint: string): ThermidorFailure {
  return new ThermidorFailure('worktree.unavailable', `${message}; ${hint}`);
}

/** The folder of worktrees has lost what this host had made there. */
export function takenAway(root: string, problem: unknown): ThermidorFailure {
  const said = problem instanceof Error ? problem.message : String(problem);
  const message = `the folder of worktrees ${root} was deleted or moved while it was in use: ${said}`;
  return new ThermidorFailure('store.unavailable', message, { path: root, reason: 'LOST' });
}

export function worktreeMissing(at: WorktreePlace): ThermidorFailure {
  return repositoryFailure('worktree-missing', `there is no worktree of ${at.slot} on this host`);
}
