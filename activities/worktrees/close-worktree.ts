import { defined } from '../../plan/defined';
import type { ClosedWorktree } from '../../plan/run/worktree';
import type { CloseWorktreeInput } from '../../plan/run/worktree-activities';
import type { ActivityCall } from '../activity-call';
import { withHeartbeat } from '../heartbeat';
import { loadRun } from '../run/load-run';
import type { Toolbox } from '../toolbox';
import { requireWorktrees } from './claim-worktree';
import { setupCommands } from './setup-commands';
import { requireSlot } from './slot-record';

/** Ends a worktree on its host, once the run does not need it any more; its run ref stays. */
export async function closeWorktree(toolbox: Toolbox, call: ActivityCall, { lease, spares }: CloseWorktreeInput): Promise<ClosedWorktree> {
  const { slot, epoch } = lease;
  const worktrees = requireWorktrees(toolbox);
  return await withHeartbeat(
    call,
    () => 0,
    async () => {
      const run = await loadRun(toolbox, call.key);
      const record = await requireSlot(toolbox.ledger, call.key, slot);
      const { setup, close } = setupCommands(toolbox, call, run, { slot, record, key: 'teardown' });
      return await worktrees
        .close({ key: call.key, slot, epoch }, { ...record.plan, ...defined({ spares }) }, setup, call.signal)
        .finally(close);
    },
  );
}
