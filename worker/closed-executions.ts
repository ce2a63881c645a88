import type { WorkflowService } from '@temporalio/client';
import type { Log } from '../activities/log';
import type { ClosedByServer } from '../activities/run/tell-closed';
import type { Toolbox } from '../activities/toolbox';
import { QUEUE_WORKFLOW } from '../plan/queue/ticket';
import { unreachable } from '../plan/unreachable';

/** What a server says of executions that it has closed. */

export interface ClosedRunsOptions {
  server: ListingServer;
  namespace: string;
  taskQueue: string;
  toolbox: Toolbox;
  log: Log;
}

/** A connection of a worker. */
export interface ListingServer {
  readonly workflowService: Pick<
    WorkflowService,
    'listWorkflowExecutions' | 'describeWorkflowExecution' | 'getWorkflowExecutionHistoryReverse' | 'queryWorkflow'
  >;
  withDeadline<T>(deadline: number, work: () => Promise<T>): Promise<T>;
}

const LIMIT_MS = 10_000;
const PAGE = 100;
/** `WORKFLOW_EXECUTION_STATUS_…`. */
const STATUSES = { Failed: 3, Terminated: 5, TimedOut: 7 } as const;
export type ClosedStatus = keyof typeof STATUSES;

export interface ClosedExecution {
  workflowId: string;
  runId: string;
  /** Id of the first execution of its run. */
  run: string;
  /** ISO 8601. */
  closedAt: string;
}

/** The closed executions of this task queue's runs, page by page. */
export async function* closedExecutions(
  { server, namespace, taskQueue }: ClosedRunsOptions,
  statuses: readonly ClosedStatus[],
  since: Date | undefined,
): AsyncGenerator<ClosedExecution> {
  const query = [
    `TaskQueue = '${taskQueue.replaceAll("'", "\\'")}'`,
    `WorkflowType != '${QUEUE_WORKFLOW}'`,
    `ExecutionStatus IN (${statuses.map((status) => `'${status}'`).join(', ')})`,
    ...(since === undefined ? [] : [`CloseTime > '${since.toISOString()}'`]),
  ].join(' AND ');
  let nextPageToken: Uint8Array | null = null;
  do {
    const request = { namespace, query, pageSize: PAGE, nextPageToken };
    const page: ListPage = await ask(server, () => server.workflowService.listWorkflowExecutions(request));
    for (const { execution, firstRunId, closeTime } of page.executions) {
      const { workflowId, runId } = execution ?? {};
      if (workflowId && runId) yield { workflowId, runId, run: firstRunId || runId, closedAt: isoOf(closeTime) };
    }
    nextPageToken = page.nextPageToken ?? null;
  } while (nextPageToken && nextPageToken.length > 0);
}
type ListPage = Awaited<ReturnType<WorkflowService['listWorkflowExecutions']>>;

export function ask<T>(server: ListingServer, work: () => Promise<T>): Promise<T> {
  return server.withDeadline(Date.now() + LIMIT_MS, work);
}

function isoOf(time: { seconds?: unknown; nanos?: number | null } | null | undefined): string {
  return new Date(Number(time?.seconds ?? 0) * 1000 + Math.floor((time?.nanos ?? 0) / 1e6)).toISOString();
}

/** Undefined for an execution with which its run has not ended, or not in one of these ways. */
export async function closedByServer(
  server: ListingServer,
  namespace: string,
  execution: Pick<ClosedExecution, 'workflowId' | 'runId'>,
  statuses: readonly ClosedStatus[],
): Promise<ClosedByServer | undefined> {
  const { workflowId, runId } = execution;
  const service = server.workflowService;
  const [own, newest] = await Promise.all(
    [execution, { workflowId }].map((one) => ask(server, () => service.describeWorkflowExecution({ namespace, execution: one }))),
  );
  const [info, last] = [own?.workflowExecutionInfo, newest?.workflowExecutionInfo];
  const status = statuses.find((one) => STATUSES[one] === info?.status);
  if (!info || status === undefined) return undefined;
  const run = info.firstRunId || runId;
  if (last?.execution?.runId !== runId && (last?.firstRunId || last?.execution?.runId) === run) return undefined;
  const history = await ask(server, () => service.getWorkflowExecutionHistoryReverse({ namespace, execution, maximumPageSize: 1 }));
  const { workflowExecutionTerminatedEventAttributes: terminated, workflowExecutionFailedEventAttributes: failed } =
    history.history?.events?.[0] ?? {};
  const closed = { workflowId, run, execution: runId, pipeline: info.type?.name ?? workflowId, closedAt: isoOf(info.closeTime) };
  switch (status) {
    case 'Terminated':
      return { ...closed, code: 'terminated', reason: terminated?.reason || 'the workflow was terminated' };
    case 'TimedOut':
      return { ...closed, code: 'timeout', reason: 'its time ran out' };
    case 'Failed': {
      const { message, applicationFailureInfo } = failed?.failure ?? {};
      return { ...closed, code: applicationFailureInfo?.type || 'internal', reason: message || 'the workflow failed' };
    }
    default:
      return unreachable(status);
  }
}
