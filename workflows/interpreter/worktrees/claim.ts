import { defined } from '../../../plan/defined';
import { bug, ThermidorFailure } from '../../../plan/run/failure';
import { MOST_EPOCHS, type WorktreeLease } from '../../../plan/run/worktree';
import type { ClaimWorktreeInput } from '../../../plan/run/worktree-activities';
import { field } from '../../../plan/text/json';
import type { ActivityOptions } from '../../run-context';
import type { Interpreter } from '../interpreter';
import { placeFinder } from '../rerun/carry-state';
import type { Run } from '../run';
import type { Frame, Place } from '../scheduling/place';
import { workerActivityOptions } from '../steps/activity-options';
import { workPolicy } from '../steps/activity-timeouts';
import { readable } from '../steps/step-input';
import type { WorktreeSlot } from './slot-of';

/** The lease whose host did not take up work. */
export interface LostLease {
  lease: WorktreeLease;
  /** The epoch with which the try of the step began. */
  first: number;
}

/**
 * The lease of a step's worktree. State has it, or a worker that may do the owner's work makes the worktree. The worker that takes the call
 * for a `lost` one checks whether its host is alive.
 *
 * Each try may have the worktree made `MOST_EPOCHS` times: a step that ends its workers does not end all of them, and one that was only
 * unlucky, or lasts long, can be tried again.
 */
export function claim(
  it: Interpreter,
  place: Place,
  at: WorktreeSlot,
  { address }: Pick<ActivityOptions, 'address'>,
  lost?: LostLease,
): Promise<WorktreeLease> {
  const { run, worktrees } = it;
  return worktrees.alone(at.slot, async () => {
    const known = run.state.worktrees?.[at.slot];
    // Another call of the step may have asked meanwhile.
    if (known?.lease && known.lease.epoch !== lost?.lease.epoch) return known.lease;
    const owner = ownerPlace(run, place, at);
    const most = Math.max(known?.spent ?? 0, lost ? lost.first - 1 : 0) + MOST_EPOCHS;
    const input = { ...claimInput(run, owner, at, lost?.lease), ...defined({ most: most === MOST_EPOCHS ? undefined : most }) };
    const claiming = run.activity(place, 'claimWorktree', input, {
      address: `${address}/worktree`,
      ...workPolicy(undefined),
      // A host that was only stopped still has an open poll, and may be given this call, too.
      ...defined({ heartbeatMs: lost?.lease.silentMs }),
      ...workerActivityOptions(owner),
    });
    const lease = await claiming.catch((error: unknown) => {
      noteSpent(run, at, error);
      throw error;
    });
    run.state.worktrees = { ...run.state.worktrees, [at.slot]: { lease } };
    noteLease(it, lease, lost?.lease);
    return lease;
  });
}

/** The finder knows no frame of `finally`, whose steps see each other and the earlier ones. */
function ownerPlace(run: Run, place: Place, { owner }: WorktreeSlot): Place {
  for (let frame: Frame | undefined = place.frame; frame; frame = frame.container?.frame) {
    const found = frame.places.find(({ path }) => path === owner);
    if (found) return found;
  }
  const found = placeFinder(run)(owner);
  if (found) return found;
  throw bug(`there is no step at "${owner}"`);
}

function claimInput(run: Run, owner: Place, { slot, label }: WorktreeSlot, held: WorktreeLease | undefined): ClaimWorktreeInput {
  const { firstRunId } = run.ctx.info;
  if (held) return { run: firstRunId, slot, held };
  const carried = run.state.worktrees?.[slot]?.carried;
  const replaced = run.state.records[owner.path]?.brief?.replaced;
  return { ...readable(run, owner, owner.step.inputs), slot, ...defined({ carried, with: replaced?.inputs, label }) };
}

/** Hosts may have taken epochs and died before they could say so. */
function noteSpent({ state }: Run, { slot }: WorktreeSlot, error: unknown): void {
  const epochs = error instanceof ThermidorFailure ? field(error.details, 'epochs') : undefined;
  if (typeof epochs === 'number') state.worktrees = { ...state.worktrees, [slot]: { ...state.worktrees?.[slot], spent: epochs } };
}

function noteLease({ run, changed }: Interpreter, lease: WorktreeLease, lost: WorktreeLease | undefined): void {
  const { slot, host, commit, epoch } = lease;
  if (epoch === lost?.epoch) return;
  const reason = lost ? `its host ${lost.host} no longer answers; begun again from what it had pushed` : undefined;
  run.journal.add({ kind: 'worktree', step: slot, event: lost ? 'moved' : 'made', host, commit, ...defined({ reason }) });
  changed();
}
