import { defined } from '../../plan/defined';
import { FAILURES, ThermidorFailure } from '../../plan/run/failure';
import type { WorktreeSaved } from '../../plan/run/worktree';
import { shortAddress } from '../../plan/steps/address';
import { type ActivityCall, requireAddress } from '../activity-call';
import { REAL_TIMER, unlessAborted } from '../deadline';
import type { Toolbox } from '../toolbox';
import type { HostWorktrees, WorktreePlace, WorktreePlan } from '../worktree-port';
import { notOurs, requireOwn } from './own-epoch';
import { signedCommit } from './signed-commit';

/** The saved work of a try in its worktree. */
export interface Saves {
  toolbox: Toolbox;
  call: ActivityCall;
  worktrees: HostWorktrees;
  place: WorktreePlace;
  plan: WorktreePlan;
  /** In words, changes that the try found there, made by none of the run's steps. */
  unattended?: string;
}

async function save({ toolbox, call, worktrees, place, plan, unattended }: Saves, signal: AbortSignal): Promise<WorktreeSaved> {
  await requireOwn(toolbox, place);
  const commit = await worktrees
    .save(place, plan, signedCommit(toolbox, call, shortAddress(requireAddress(call))), signal)
    .catch(notOurs(place));
  await requireOwn(toolbox, place);
  return { slot: place.slot, epoch: place.epoch, commit, ...defined({ unattended }) };
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** For this host's own disk, which is cheap to ask: if a worker is killed before it is saved, the work is done again. */
const LONGEST_WAIT_FOR_DISK_MS = 5000;

/** The work is done: if its repository is away, locked or full, or git was killed, only saving is retried, and heartbeats report that. */
export async function savedInTime(saves: Saves): Promise<WorktreeSaved> {
  const { call, toolbox } = saves;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
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
      const longestMs = error.code === 'repository.full' ? LONGEST_WAIT_FOR_DISK_MS : LONGEST_WAIT_MS;
      waitMs = Math.min(waitMs, longestMs);
      await unlessAborted(call.signal, new Promise<void>((resolve) => void timer(waitMs, resolve)));
    }
  }
}

function isPassing(error: unknown): error is ThermidorFailure {
  return error instanceof ThermidorFailure && /^(git|repository)\./.test(error.code) && FAILURES[error.code].retried === 'temporal';
}

/** For cancelled work: its run waits long enough for that. */
const SAVE_LATE_MS = 4000;

/** Saves the work of a try that then failed; the failure matters more than a failure to save. */
export async function savedAfter(saves: Saves, failure: unknown): Promise<WorktreeSaved | undefined> {
  const { call, toolbox } = saves;
  try {
    return await save(saves, call.signal.aborted ? AbortSignal.timeout(SAVE_LATE_MS) : call.signal);
  } catch (error) {
    const [problem, after] = [error, failure].map((one) => (one instanceof Error ? one.message : String(one)));
    toolbox.log('warn', 'what a failed try left in its worktree is not saved', { call: call.id, problem, after });
    return undefined;
  }
}

export function withSaved(error: unknown, saved: WorktreeSaved | undefined): unknown {
  if (!saved || !(error instanceof ThermidorFailure)) return error;
  const { code, message, details, retryAfterMs, work, located } = error;
  return new ThermidorFailure(code, message, details, retryAfterMs, { ...work, worktree: saved }, located);
}
