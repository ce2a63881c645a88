import { dirname } from 'node:path';
import { defined } from '../../plan/defined';
import { runRef } from '../../plan/run/run-ref';
import type { WorktreeSaved, WorktreeUse } from '../../plan/run/worktree';
import { formatPath } from '../../plan/steps/address';
import { type ActivityCall, requireAddress } from '../activity-call';
import { withHeartbeat } from '../heartbeat';
import type { LoadedRun } from '../run/loaded-run';
import type { Toolbox } from '../toolbox';
import type { HostWorktrees, OpenWorktree, WorktreePlace, WorktreePlan } from '../worktree-port';
import { requireWorktrees } from './claim-worktree';
import { notOurs, requireOwn } from './own-epoch';
import { type Saves, savedAfter, savedInTime, withSaved } from './save-work';
import { setupCommands } from './setup-commands';
import { signedCommit } from './signed-commit';
import { ownerOf, requireSlot } from './slot-record';

/** The worktree that a step works in, as its work sees it. */
export interface WorkTree extends Pick<OpenWorktree, 'folder' | 'env' | 'commit' | 'createdAt'>, Pick<WorktreeUse, 'epoch'> {
  /** The folder of a step that names one. Fails as `HostWorktrees.folderIn`. */
  folderFor(cwd: string | undefined): Promise<string>;
  /** Pushes the commits that somebody at work there has made. Fails as `HostWorktrees.push`. */
  push(): Promise<void>;
}

interface Beginning {
  /** Begins from the last saved state, without half-done work of a killed command. */
  discard?: boolean;
  /** Begins from an earlier commit of it. */
  backTo?: string;
}

export interface WorkedIn<T> {
  result: T;
  /** Absent: the step has no worktree. */
  saved?: WorktreeSaved;
}

/**
 * Does a step's work in its worktree: opens it before, saves it after. A result is returned only once the work is pushed, and only while no
 * other host has the worktree. The work of a failed or cancelled try is saved as well, and its failure has the commit.
 *
 * @param begins where it begins: by default, with what is there
 */
export async function inWorktree<T>(
  toolbox: Toolbox,
  call: ActivityCall,
  run: LoadedRun,
  use: WorktreeUse | undefined,
  begins: Beginning,
  work: (tree: WorkTree | undefined) => Promise<T>,
): Promise<WorkedIn<T>> {
  if (!use) return { result: await work(undefined) };
  const worktrees = requireWorktrees(toolbox);
  const { slot, epoch } = use;
  const step = formatPath(requireAddress(call).path);
  const place: WorktreePlace = { key: call.key, slot, epoch, step, ...(ownerOf(run, slot).worktree.shared ? { sharedBy: step } : {}) };
  const { plan, folder, env, commit, createdAt, unattended } = await alive(call, () => opened(toolbox, call, run, place, use, begins));
  // Git looks for no repository above the worktree.
  const tree: WorkTree = {
    ...{ folder, commit, createdAt, epoch },
    env: { GIT_CEILING_DIRECTORIES: dirname(folder), ...env },
    folderFor: async (cwd) => (cwd === undefined ? folder : worktrees.folderIn(folder, cwd)),
    async push() {
      await requireOwn(toolbox, place);
      await worktrees.push(place, plan, call.signal).catch(notOurs(place));
    },
  };
  const saves: Saves = { toolbox, call, worktrees, place, plan, ...defined({ unattended }) };
  let result: T;
  try {
    result = await work(tree);
  } catch (error) {
    throw withSaved(error, await alive(call, () => savedAfter(saves, error)));
  }
  // A cancelled agent returns with its usage.
  if (!call.signal.aborted || call.isCancelled?.() !== true) return { result, saved: await alive(call, () => savedInTime(saves)) };
  const saved = await alive(call, () => savedAfter(saves, call.signal.reason));
  if (!saved) throw call.signal.reason;
  return { result, saved };
}

/** Git, `setup` and a repository that is away may take long; the work itself has heartbeats of its own. */
function alive<T>(call: ActivityCall, work: () => Promise<T>): Promise<T> {
  return withHeartbeat(call, () => 0, work);
}

async function opened(
  toolbox: Toolbox,
  call: ActivityCall,
  run: LoadedRun,
  place: WorktreePlace,
  { slot, commit, onto }: WorktreeUse,
  { discard, backTo }: Beginning,
): Promise<Omit<OpenWorktree, 'branch'> & { plan: WorktreePlan }> {
  const worktrees = requireWorktrees(toolbox);
  await requireOwn(toolbox, place);
  const record = await requireSlot(toolbox.ledger, call.key, slot);
  const { plan } = record;
  const { setup, close } = setupCommands(toolbox, call, run, { slot, record, key: 'setup' });
  const { unattended, ...open } = await worktrees.open(place, plan, commit, setup, call.signal).catch(notOurs(place)).finally(close);
  if (backTo !== undefined) await worktrees.restore(place, plan, backTo, call.signal).catch(notOurs(place));
  else if (discard) await backToSaved(worktrees, place, plan, commit, call.signal);
  if (onto !== undefined)
    await worktrees.update(place, plan, { onto, ...updateCommit(toolbox, call, slot, onto) }, call.signal).catch(notOurs(place));
  if (unattended !== undefined)
    toolbox.log('warn', 'a worktree was changed by nobody who was at work there', { call: call.id, unattended });
  return { ...open, plan, ...defined({ unattended }) };
}

function updateCommit(toolbox: Toolbox, call: ActivityCall, slot: string, onto: string): ReturnType<typeof signedCommit> {
  return signedCommit(toolbox, call, `${slot}: on top of ${onto.slice(0, 12)}`);
}

/** Resets to the last pushed commit, which the run may not know: a cancelled try does not report where it has saved its work. */
async function backToSaved(
  worktrees: HostWorktrees,
  place: WorktreePlace,
  plan: WorktreePlan,
  known: string,
  signal: AbortSignal,
): Promise<void> {
  const { key, slot, epoch } = place;
  const saved = await worktrees.pushed(plan, runRef(key.run, slot, epoch), signal);
  await worktrees.restore(place, plan, saved ?? known, signal);
}
