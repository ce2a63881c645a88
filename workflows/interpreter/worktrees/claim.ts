import { defined } from '../../../plan/defined';
import { bug } from '../../../plan/run/failure';
import type { WorktreeLease } from '../../../plan/run/worktree';
import type { ClaimWorktreeInput } from '../../../plan/run/worktree-activities';
import type { ActivityOptions } from '../../run-context';
import type { Interpreter } from '../interpreter';
import { placeFinder } from '../rerun/carry-state';
import type { Run } from '../run';
import type { Frame, Place } from '../scheduling/place';
import { workerActivityOptions } from '../steps/activity-options';
import { workPolicy } from '../steps/activity-timeouts';
import { readable } from '../steps/step-input';
import type { WorktreeSlot } from './slot-of';

/**
 * The lease of a step's worktree. State has it, or a worker that may do the owner's work makes the worktree. `lost`: its host did not take
 * up work; the worker that takes the call checks whether that host is alive.
 */
export function claim(
  it: Interpreter,
  place: Place,
  at: WorktreeSlot,
  { address }: Pick<ActivityOptions, 'address'>,
  lost?: WorktreeLease,
): Promise<WorktreeLease> {
  const { run, worktrees } = it;
  return worktrees.alone(at.slot, async () => {
    const known = run.state.worktrees?.[at.slot];
    // Another call of the step may have asked meanwhile.
    if (known?.lease && known.lease.epoch !== lost?.epoch) return known.lease;
    const owner = ownerPlace(run, place, at);
    const lease = await run.activity(place, 'claimWorktree', claimInput(run, owner, at, lost), {
      address: `${address}/worktree`,
      ...workPolicy(undefined),
      // A host that was only stopped still has an open poll, and may be given this call, too.
      ...defined({ heartbeatMs: lost?.silentMs }),
      ...workerActivityOptions(owner),
    });
    run.state.worktrees = { ...run.state.worktrees, [at.slot]: { lease } };
    noteLease(it, lease, lost);
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

function noteLease({ run, changed }: Interpreter, lease: WorktreeLease, lost: WorktreeLease | undefined): void {
  const { slot, host, commit, epoch } = lease;
  if (epoch === lost?.epoch) return;
  const reason = lost ? `its host ${lost.host} no longer answers; begun again from what it had pushed` : undefined;
  run.journal.add({ kind: 'worktree', step: slot, event: lost ? 'moved' : 'made', host, commit, ...defined({ reason }) });
  changed();
}
