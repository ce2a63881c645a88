import type { WorkflowExecutionInfo } from '@temporalio/client';
import type { ThermidorClient } from './connect';

/**
 * The executions that a query gives, in the server's order. The time limit is that of one answer: of thousands of runs the server gives a
 * page after the other, and a busy one takes longer for all of them than for one. Fails as `call` does.
 */
export async function* executionsOf(
  client: Pick<ThermidorClient, 'call' | 'temporal'>,
  query: string,
): AsyncGenerator<WorkflowExecutionInfo> {
  const all = client.temporal.workflow.list({ query })[Symbol.asyncIterator]();
  for (;;) {
    const next = await client.call(() => all.next());
    if (next.done) return;
    yield next.value;
  }
}
