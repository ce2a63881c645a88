import { defined } from '../../plan/defined';
import type { AdvancedTarget, AdvanceInput } from '../../plan/queue/queue-activities';
import { recordResult } from '../../records/queues/queue-ledger';
import type { ActivityCall } from '../activity-call';
import { withHeartbeat } from '../heartbeat';
import type { Toolbox } from '../toolbox';
import { requireGreen, requireOwnTarget, requireSubmission } from './own-records';
import { requireMergeHost } from './require-merge-host';

/** The result that contains a candidate is recorded before the target moves: after a crash that shows that it landed. */
export async function advanceTarget(toolbox: Toolbox, call: ActivityCall, input: AdvanceInput): Promise<AdvancedTarget> {
  return await withHeartbeat(
    call,
    () => 0,
    () => advance(toolbox, call, input),
  );
}

async function advance(
  toolbox: Toolbox,
  { key, signal }: ActivityCall,
  { target, from, to, within, candidates }: AdvanceInput,
): Promise<AdvancedTarget> {
  const host = requireMergeHost(toolbox);
  requireOwnTarget({ key }, target);
  await requireGreen(toolbox, { key }, to, host.rules(target));
  for (const { asked } of candidates) await requireSubmission(toolbox, asked, target);
  for (const { asked } of candidates) await recordResult(toolbox.ledger, key.workflowId, asked, to);
  const advanced = await host.advance(target, { from, to, ...defined({ within }) }, signal);
  if (advanced.kind !== 'dirty') return { kind: advanced.kind };
  const { folder, paths } = advanced;
  const names = paths.map((path) => JSON.stringify(path)).join(', ');
  return {
    kind: 'dirty',
    message: `${target.branch} is checked out in ${folder}, which has changes: ${names}; commit or stash them, and submit again`,
  };
}
