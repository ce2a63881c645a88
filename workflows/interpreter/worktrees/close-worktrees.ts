import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { WorktreeLease } from '../../../plan/run/worktree';
import type { CloseWorktreeInput } from '../../../plan/run/worktree-activities';
import { formatAddress } from '../../../plan/steps/address';
import { Cancelled, NotStarted } from '../../run-context';
import type { Interpreter } from '../interpreter';
import { placeAddress } from '../scheduling/place';
import { noteChanged } from './changed-unattended';

/** How long the end of a run waits for `teardown`, all tries together. */
const CLOSE_MS = 5 * 60_000;

/**
 * Closes the worktrees of a run that ends in any way: nothing is in progress in them any more. One that cannot be closed delays no run: the
 * journal says so, and its host removes it later.
 */
export async function closeWorktrees(it: Interpreter): Promise<void> {
  const { worktrees = {} } = it.run.state;
  const leases = Object.values(worktrees).flatMap(({ lease, isClosed }) => (lease && !isClosed ? [lease] : []));
  await Promise.all(leases.map((lease) => close(it, lease)));
}

/**
 * Closes some slots before the run ends. A step that works there later makes the worktree again. `spares`: one with changes that are no
 * step's is kept, and the journal says for each whether it is.
 */
export async function closeWorktreesOf(it: Interpreter, slots: readonly string[], how: Closing = {}): Promise<void> {
  const leases = [...new Set(slots)].flatMap((slot) => {
    const { lease, isClosed } = it.run.state.worktrees?.[slot] ?? {};
    return lease && !isClosed ? [lease] : [];
  });
  await Promise.all(leases.map((lease) => close(it, lease, how)));
}

type Closing = Pick<CloseWorktreeInput, 'spares'>;

async function close({ run }: Interpreter, lease: WorktreeLease, how: Closing = {}): Promise<void> {
  const { slot, host, silentMs, commit } = lease;
  try {
    const closed = await run.ctx.activity(
      'closeWorktree',
      { run: run.ctx.info.firstRunId, lease, ...how },
      {
        address: `${formatAddress(placeAddress(slot, { round: 1, try: 1 }))}/close-worktree`,
        ...{ kept: true, host, heartbeatMs: silentMs, scheduleToStartMs: silentMs },
        ...{ startToCloseMs: CLOSE_MS, scheduleToCloseMs: CLOSE_MS },
      },
    );
    const { unattended, isKept } = closed ?? {};
    if (!how.spares) noteChanged(run, lease, unattended);
    else
      run.journal.add({
        ...{ kind: 'worktree', step: slot, event: isKept ? 'kept' : 'removed', host, commit },
        ...defined({ reason: unattended }),
      });
  } catch (error) {
    if (!(error instanceof ThermidorFailure || error instanceof NotStarted || error instanceof Cancelled)) throw error;
    run.journal.add({ kind: 'worktree', step: slot, event: 'left', host, commit, reason: error.message });
  }
  const known = run.state.worktrees?.[slot];
  if (known) known.isClosed = true;
}
