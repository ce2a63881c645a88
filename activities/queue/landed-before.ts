import type { AskedBy, QueueTarget } from '../../plan/queue/ticket';
import { readResults } from '../../records/queues/queue-ledger';
import type { ActivityCall } from '../activity-call';
import type { Toolbox } from '../toolbox';
import { requireMergeHost } from './require-merge-host';

/**
 * The result in which a candidate has landed. If a queue or a worker was lost between the move and its record, only what was recorded
 * before the move is left.
 */
export async function landedBefore(
  toolbox: Toolbox,
  { key, signal }: Pick<ActivityCall, 'key' | 'signal'>,
  target: QueueTarget,
  asked: AskedBy,
): Promise<string | undefined> {
  const results = await readResults(toolbox.ledger, key.workflowId, asked);
  for (const result of results) if (await requireMergeHost(toolbox).has(target, result, signal)) return result;
  return undefined;
}
