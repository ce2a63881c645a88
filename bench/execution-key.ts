import { Context } from '@temporalio/activity';
import type { RunKey } from '../records/ledger';

/** The run whose ledger an activity of a bench uses: all executions of a workflow id are one run. */
export function executionKey(): RunKey {
  const workflowId = Context.current().info.workflowExecution?.workflowId ?? '';
  return { workflowId, run: workflowId };
}
