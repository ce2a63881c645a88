import { dirname } from 'node:path';
import { FAILURES, ThermidorFailure } from '../../plan/run/failure';
import { runRef } from '../../plan/run/run-ref';
import type { WorktreeSaved, WorktreeUse } from '../../plan/run/worktree';
import { shortAddress } from '../../plan/steps/address';
import { type ActivityCall, requireAddress } from '../activity-call';
import { REAL_TIMER, unlessAborted } from '../deadline';
import type { LoadedRun } from '../run/loaded-run';
import type { Toolbox } from '../toolbox';
import type { HostWorktrees, OpenWorktree, WorktreePlace, WorktreePlan } from '../worktree-port';
import { requireWorktrees } from './claim-worktree';
import { isNewestEpoch } from './epochs';
import { setupCommands } from './setup-commands';
import { signedCommit } from './signed-commit';
import { requireSlot } from './slot-record';

/**
 * Has a step's work done in its worktree: opened before, saved after. A result is answered only once what was done is pushed, and only while no
 * other host has the worktree. What a failed or cancelled try has done is saved, too, and its failure says where.
 */
export interface WorkTree extends Pick<OpenWorktree, 'folder' | 'env'> {
  /** Where a step works that names a folder. Fails as `HostWorktrees.folderIn`. */
  folderFor(cwd: string | undefined): Promise<string>;
  /** Pushes the commits that somebody at work there has made. Fails as `HostWorktrees.push`. */
  push(): Promise<void>;
}

export interface WorkedIn<T> {
  result: T;
  /** Absent: the step has no worktree. */
  saved?: WorktreeSaved;
}

/** @param discard what nobody saved is thrown away before the work begins: what a killed command left half-done */
export async function inWorktree<T>(
  toolbox: Toolbox,
  call: ActivityCall,
  run: LoadedRun,
  use: WorktreeUse | undefined,
  { discard }: { discard: boolean },
  work: (tree: WorkTree | undefined) => Promise<T>,
): Promise<WorkedIn<T>> {
  if (!use) return { result: await work(undefined) };
  const worktrees = requireWorktrees(toolbox);
  const { slot, epoch } = use;
  const place: WorktreePlace = { key: call.key, slot, epoch };
  await requireOwn(toolbox, place);
  const record = await requireSlot(toolbox.ledger, call.key, slot);
  const { plan } = record;
  const { setup, close } = setupCommands(toolbox, call, run, { slot, record, key: 'setup' });
  const { folder, env } = await worktrees.open(place, plan, use.commit, setup, call.signal).catch(notOurs(place)).finally(close);
  if (discard) await backToSaved(worktrees, place, plan, use.commit, call.signal);
  // Git looks for no repository above the worktree.
  const tree: WorkTree = {
    folder,
    env: { GIT_CEILING_DIRECTORIES: dirname(folder), ...env },
    folderFor: async (cwd) => (cwd === undefined ? folder : worktrees.folderIn(folder, cwd)),
    async push() {
      await requireOwn(toolbox, place);
      await worktrees.push(place, plan, call.signal).catch(notOurs(place));
    },
  };
  const saves: Saves = { toolbox, call, worktrees, place, plan };
  let result: T;
  try {
    result = await work(tree);
  } catch (error) {
    throw withSaved(error, await savedAfter(saves, error));
  }
  return { result, saved: await savedInTime(saves) };
}

interface Saves {
  toolbox: Toolbox;
  call: ActivityCall;
  worktrees: HostWorktrees;
  place: WorktreePlace;
  plan: WorktreePlan;
}

/** Before it is pushed, and again before anything is recorded (`epochs.ts`, invariant 2). */
async function requireOwn({ ledger }: Toolbox, { key, slot, epoch }: WorktreePlace): Promise<void> {
  if (await isNewestEpoch(ledger, key, slot, epoch)) return;
  throw lost({ slot, epoch });
}

/** What the host says of a worktree that has a later epoch is no matter of this worker's. */
function notOurs(place: WorktreePlace): (error: unknown) => never {
  return (error) => {
    throw error instanceof ThermidorFailure && error.code === 'worker.lost' ? lost(place) : error;
  };
}

function lost({ slot, epoch }: Pick<WorktreePlace, 'slot' | 'epoch'>): ThermidorFailure {
  return new ThermidorFailure('worktree.lost', `another host has taken over the worktree of "${slot}" meanwhile`, { slot, epoch });
}

/** To what was pushed last, which the run may not know of: a cancelled try says no more where it has saved what it had. */
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

async function save({ toolbox, call, worktrees, place, plan }: Saves, signal: AbortSignal): Promise<WorktreeSaved> {
  await requireOwn(toolbox, place);
  const commit = await worktrees
    .save(place, plan, signedCommit(toolbox, call, shortAddress(requireAddress(call))), signal)
    .catch(notOurs(place));
  await requireOwn(toolbox, place);
  return { slot: place.slot, epoch: place.epoch, commit };
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/** The work is done: where its repository is away, locked or full, only saving is tried again, and heartbeats say so. */
async function savedInTime(saves: Saves): Promise<WorktreeSaved> {
  const { call, toolbox } = saves;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      const saved = await save(saves, call.signal);
      if (call.notes) delete call.notes.trouble;
      return saved;
    } catch (error) {
      if (!isPassing(error)) throw error;
      call.signal.throwIfAborted();
      if (waitMs === FIRST_WAIT_MS)
        toolbox.log('warn', 'work in a worktree waits for its repository', { call: call.id, problem: error.message });
      if (call.notes) call.notes.trouble = error.message;
      const { timer = REAL_TIMER } = toolbox;
      await unlessAborted(call.signal, new Promise<void>((resolve) => void timer(waitMs, resolve)));
    }
  }
}

function isPassing(error: unknown): error is ThermidorFailure {
  return error instanceof ThermidorFailure && error.code.startsWith('repository.') && FAILURES[error.code].retried === 'temporal';
}

/** Of work that was cancelled: its run waits for that long enough. */
const SAVE_LATE_MS = 4000;

/** What the try has done before it failed; the failure matters more than that it could not be saved. */
async function savedAfter(saves: Saves, failure: unknown): Promise<WorktreeSaved | undefined> {
  const { call, toolbox } = saves;
  try {
    return await save(saves, call.signal.aborted ? AbortSignal.timeout(SAVE_LATE_MS) : call.signal);
  } catch (error) {
    const [problem, after] = [error, failure].map((one) => (one instanceof Error ? one.message : String(one)));
    toolbox.log('warn', 'what a failed try left in its worktree is not saved', { call: call.id, problem, after });
    return undefined;
  }
}

function withSaved(error: unknown, saved: WorktreeSaved | undefined): unknown {
  if (!saved || !(error instanceof ThermidorFailure)) return error;
  const { code, message, details, retryAfterMs, work, located } = error;
  return new ThermidorFailure(code, message, details, retryAfterMs, { ...work, worktree: saved }, located);
}
