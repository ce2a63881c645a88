import type { ConcludeInput } from '../../plan/queue/queue-activities';
import { recordOutcome, recordPause } from '../../records/queues/queue-ledger';
import type { ActivityCall } from '../activity-call';
import { withHeartbeat } from '../heartbeat';
import type { Toolbox } from '../toolbox';
import { isOfThisHost } from './on-another-host';
import { requireOwnTarget, requireResult } from './own-records';
import { requireMergeHost } from './require-merge-host';
import { closeLeftTests } from './test-worktree';

/**
 * Outcomes are in the ledger before anybody is woken. A failed clean-up delays nothing: it leaves refs that nobody reads. A host that does
 * not see the repository leaves them to another.
 */
export async function concludeTickets(toolbox: Toolbox, call: ActivityCall, input: ConcludeInput): Promise<void> {
  const { ledger, log } = toolbox;
  const { key, signal } = call;
  if (input.target) requireOwnTarget(call, input.target);
  if (input.pause) await recordPause(ledger, key.workflowId, input.pause);
  for (const { asked, outcome } of input.outcomes) {
    if (outcome.kind === 'merged' && !outcome.already) await requireResult(toolbox, call, asked, outcome.result);
    await recordOutcome(ledger, key.workflowId, asked, outcome);
  }
  await withHeartbeat(
    call,
    () => 0,
    async () => {
      for (const { asked } of input.outcomes) {
        await toolbox.queueAsker
          ?.wake(asked)
          .catch((error: unknown) =>
            log('warn', 'an asker of a merge queue could not be woken', { asker: asked.workflowId, problem: String(error) }),
          );
      }
      const { target, run, commits, left = [] } = input;
      if (!target) return;
      await closeLeftTests(toolbox, call, target, left);
      if (commits.length === 0) return;
      await requireMergeHost(toolbox)
        .forget(target, run, commits, signal)
        .catch((error: unknown) => {
          if (isOfThisHost(error)) throw error;
          log('warn', 'refs of a merge queue could not be removed', { queue: key.workflowId, problem: String(error) });
        });
    },
  );
}
