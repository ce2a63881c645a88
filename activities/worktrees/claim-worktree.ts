import { defined } from '../../plan/defined';
import { render } from '../../plan/expressions/evaluate';
import { FAILURES, ThermidorFailure } from '../../plan/run/failure';
import type { CarriedWorktree, WorktreeLease } from '../../plan/run/worktree';
import type { ClaimWorktreeInput } from '../../plan/run/worktree-activities';
import type { ActivityCall } from '../activity-call';
import { withHeartbeat } from '../heartbeat';
import { openStepLog } from '../logs/step-log';
import { loadRun } from '../run/load-run';
import type { LoadedRun } from '../run/loaded-run';
import type { RunSecrets } from '../run/run-secrets';
import { inputScope } from '../run/template-scope';
import type { Toolbox } from '../toolbox';
import { type HostWorktrees, SILENT_MS, type WantedWorktree, type WorktreePlace, type WorktreePlan } from '../worktree-port';
import { isNewestEpoch, takeEpoch } from './epochs';
import { setupCommands } from './setup-commands';
import { signedCommit } from './signed-commit';
import { ownerOf, readSlot, readsOf, recordSlot, type SlotRecord } from './slot-record';

/**
 * Makes a step's worktree on this host, or takes over one whose host no longer answers: from its last pushed commit. Running twice, on this
 * host or another, is harmless: an epoch belongs to one host alone.
 *
 * Fails with `worktree.unavailable`, `worktree.setup-failed`, and the codes of `REPOSITORY_PROBLEMS`.
 */
export async function claimWorktree(toolbox: Toolbox, call: ActivityCall, input: ClaimWorktreeInput): Promise<WorktreeLease> {
  const { slot, held } = input;
  const worktrees = requireWorktrees(toolbox);
  return await withHeartbeat(
    call,
    () => 0,
    async () => {
      const host = await worktrees.host();
      if (held && (await isHeld(toolbox, call, worktrees, held, host))) return held;
      const run = await loadRun(toolbox, call.key);
      const record = await settledSlot(toolbox, call, run, worktrees, input);
      const epoch = await takeEpoch(toolbox.ledger, call.key, slot, held ? held.epoch + 1 : 1, host, input.most);
      const { shared } = ownerOf(run, slot).worktree;
      const from = await beginning(worktrees, input, record.plan, call.signal, shared);
      const made = await make({ toolbox, call, run, worktrees }, { key: call.key, slot, epoch }, record, from);
      const { repository, refsIn, base } = record.plan;
      return { slot, epoch, host, repository, refsIn, base, ...made, silentMs: worktrees.silentMs ?? SILENT_MS };
    },
  );
}

interface Claiming {
  toolbox: Toolbox;
  call: ActivityCall;
  run: LoadedRun;
  worktrees: HostWorktrees;
}

/**
 * Makes, sets up, and saves a worktree with the files of `setup` that git does not ignore: they are part of the work, and no command
 * discards them. A failed one leaves nothing behind: no run knows of it.
 */
async function make(
  { toolbox, call, run, worktrees }: Claiming,
  at: WorktreePlace,
  record: SlotRecord,
  from: string,
): Promise<Pick<WorktreeLease, 'branch' | 'commit'>> {
  const { setup, close } = setupCommands(toolbox, call, run, { slot: at.slot, record, key: 'setup' });
  const { plan } = record;
  try {
    const { branch, commit } = await worktrees.open(at, plan, from, setup, call.signal).finally(close);
    if (!ownerOf(run, at.slot).worktree.setup) return { branch, commit };
    const saved = await worktrees.save(at, plan, signedCommit(toolbox, call, `setup of ${at.slot}`), call.signal);
    return { branch, commit: saved };
  } catch (error) {
    if (!isTriedAgain(call, error)) await cleared(toolbox, worktrees, at, plan);
    throw error;
  }
}

/** Retried by Temporal, or by the worker that takes over. */
function isTriedAgain({ signal, isCancelled }: ActivityCall, error: unknown): boolean {
  if (signal.aborted) return isCancelled?.() !== true;
  return error instanceof ThermidorFailure && FAILURES[error.code].retried === 'temporal';
}

/** The time for clearing before the run hears of the failure; its janitor does the rest. */
const CLEAR_MS = 5000;

async function cleared({ log }: Toolbox, worktrees: HostWorktrees, at: WorktreePlace, plan: WorktreePlan): Promise<void> {
  try {
    await worktrees.close(at, { ...plan, keep: false }, async () => undefined, AbortSignal.timeout(CLEAR_MS));
  } catch (error) {
    log('warn', 'a worktree that could not be made is not cleared away yet', { slot: at.slot, problem: String(error) });
  }
}

export function requireWorktrees({ worktrees }: Toolbox): HostWorktrees {
  if (worktrees) return worktrees;
  throw new ThermidorFailure(
    'worktree.unavailable',
    'this worker has no folder of worktrees; start it by `thermidor worker` or `thermidor up`',
  );
}

/** A lease holds while its host is alive. A host that lost an epoch to a claim that ended half-way has still lost the worktree. */
async function isHeld(
  toolbox: Toolbox,
  { key }: ActivityCall,
  worktrees: HostWorktrees,
  held: WorktreeLease,
  host: string,
): Promise<boolean> {
  if (!(await isNewestEpoch(toolbox.ledger, key, held.slot, held.epoch))) return false;
  return held.host === host || (await worktrees.isAlive(held.host));
}

async function settledSlot(
  toolbox: Toolbox,
  call: ActivityCall,
  run: LoadedRun,
  worktrees: HostWorktrees,
  input: ClaimWorktreeInput,
): Promise<SlotRecord> {
  const { slot, carried, label } = input;
  const known = await readSlot(toolbox.ledger, call.key, slot);
  if (known) return known;
  const reads = readsOf(input);
  const { repo, base, remote, copy, keep } = ownerOf(run, slot).worktree;
  const scope = await inputScope(toolbox, run, reads);
  const from = carried?.base ?? (base && render(base, scope));
  const wanted: WantedWorktree = {
    ...defined({ repo: repo && render(repo, scope), remote, copy, keep, label }),
    ...defined({ base: from }),
  };
  const plan = await worktrees.resolve(wanted, call.signal);
  if (carried) requireSame(slot, plan, carried);
  await sayNotes(toolbox, call, plan, scope.secrets);
  return await recordSlot(toolbox.ledger, call.key, slot, { plan, reads });
}

/** Logs what the worktree lacks: a reader of the step's log may wonder about just that. */
async function sayNotes(toolbox: Toolbox, call: ActivityCall, { notes = [] }: WorktreePlan, secrets: RunSecrets): Promise<void> {
  if (notes.length === 0) return;
  const log = openStepLog(toolbox, call, secrets);
  for (const note of notes) log.note(note);
  await log.close();
}

function requireSame(slot: string, { repository }: WorktreePlan, carried: CarriedWorktree): void {
  if (repository === carried.repository) return;
  const message = `the run before worked on "${slot}" in ${carried.repository}, and this one finds ${repository}; rerun from "${slot}" to begin anew`;
  throw new ThermidorFailure('worktree.unavailable', message, { slot });
}

/** Where a worktree begins if no earlier epoch has pushed anything of it. */
async function beginning(
  worktrees: HostWorktrees,
  { slot, carried }: ClaimWorktreeInput,
  plan: WorktreePlan,
  signal: AbortSignal,
  isShared = false,
): Promise<string> {
  if (!carried || (carried.commit === carried.base && !isShared)) return plan.base;
  const last = await worktrees.pushed(plan, carried.ref, signal);
  // The run knows what each has left there, but not who was last.
  if (last !== undefined) return isShared ? last : carried.commit;
  const message = `${carried.ref}, which has what the run before left in the worktree of "${slot}", is gone; rerun from "${slot}" to begin anew`;
  throw new ThermidorFailure('worktree.unavailable', message, { slot, ref: carried.ref });
}
