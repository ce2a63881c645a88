import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

/** The size of a run's history, all its executions together: a long one continues as new and begins another. */
export interface HistorySize {
  executions: number;
  events: number;
  bytes: number;
}

/** One execution, and its successor. */
export interface ExecutionSize {
  events: number;
  bytes: number;
  next?: string;
}

export async function historyOfRun(firstRunId: string, look: (runId: string) => Promise<ExecutionSize>): Promise<HistorySize> {
  const whole: HistorySize = { executions: 0, events: 0, bytes: 0 };
  for (let runId: string | undefined = firstRunId; runId !== undefined; ) {
    const { events, bytes, next }: ExecutionSize = await look(runId);
    whole.executions += 1;
    whole.events += events;
    whole.bytes += bytes;
    runId = next;
  }
  return whole;
}

const { HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT } = temporal.api.enums.v1.HistoryEventFilterType;

/** The same, as the server reports it. */
export function historyOnServer(client: Client, workflowId: string, firstRunId: string): Promise<HistorySize> {
  return historyOfRun(firstRunId, async (runId) => {
    const { status, historyLength, historySize } = await client.workflow.getHandle(workflowId, runId).describe();
    if (historySize === undefined) throw new Error('the server does not say how large a history is');
    const size = { events: historyLength, bytes: historySize };
    if (status.name !== 'CONTINUED_AS_NEW') return size;
    const { history } = await client.workflowService.getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId, runId },
      historyEventFilterType: HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT,
    });
    const next = history?.events?.[0]?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    if (!next) throw new Error(`execution ${runId} of ${workflowId} continued as new, but as which is not known`);
    return { ...size, next };
  });
}
