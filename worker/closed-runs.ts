import type { WorkflowService } from '@temporalio/client';
import type { Log } from '../activities/log';
import { type ClosedByServer, tellClosed } from '../activities/run/tell-closed';
import type { Toolbox } from '../activities/toolbox';
import { QUEUE_WORKFLOW } from '../plan/queue/ticket';

/**
 * Looks for runs that the server itself has closed: terminated, or timed out. Their code cannot say so, so a worker does
 * (`tell-closed.ts`).
 *
 * Invariants: 1. a run that continues in another execution, as after a reset, is not closed; 2. runs of other state folders are left alone.
 */
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
    'listWorkflowExecutions' | 'describeWorkflowExecution' | 'getWorkflowExecutionHistoryReverse'
  >;
  withDeadline<T>(deadline: number, work: () => Promise<T>): Promise<T>;
}

const EVERY_MS = 30_000;
const LIMIT_MS = 10_000;
/** A run that was closed longer ago is no news. */
const NEWS_MS = 24 * 60 * 60 * 1000;
const PAGE = 100;
/** `WORKFLOW_EXECUTION_STATUS_…`. */
const TERMINATED = 5;
const TIMED_OUT = 7;

/** Looks now and every half minute, alongside the worker's work. Returns the function that ends it. */
export function watchClosedRuns(options: ClosedRunsOptions): () => Promise<void> {
  const stopping = new AbortController();
  const settled = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const next = (): void => {
    last = tellOfClosedRuns(options, settled, stopping.signal)
      .catch((error: unknown) => options.log('debug', 'closed runs could not be searched', { error: String(error) }))
      .finally(() => {
        if (!stopping.signal.aborted) timer = setTimeout(next, EVERY_MS).unref();
      });
  };
  next();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await last;
  };
}

/** Looks once for closed runs. `settled`: executions that need no further look, by id. */
export async function tellOfClosedRuns(options: ClosedRunsOptions, settled: Set<string>, signal: AbortSignal): Promise<void> {
  const { server, namespace, taskQueue, toolbox, log } = options;
  const since = new Date(Date.now() - NEWS_MS).toISOString();
  const query = [
    `TaskQueue = '${taskQueue.replaceAll("'", "\\'")}'`,
    `WorkflowType != '${QUEUE_WORKFLOW}'`,
    "ExecutionStatus IN ('Terminated', 'TimedOut')",
    `CloseTime > '${since}'`,
  ].join(' AND ');
  const ask = <T>(work: () => Promise<T>): Promise<T> => server.withDeadline(Date.now() + LIMIT_MS, work);
  let nextPageToken: Uint8Array | null = null;
  do {
    const page = await ask(() => server.workflowService.listWorkflowExecutions({ namespace, query, pageSize: PAGE, nextPageToken }));
    for (const { execution } of page.executions) {
      const { workflowId, runId } = execution ?? {};
      if (signal.aborted) return;
      if (!workflowId || !runId || settled.has(runId)) continue;
      try {
        const closed = await closedByServer(server.workflowService, ask, namespace, { workflowId, runId });
        if (closed === undefined || (await tellClosed(toolbox, closed, signal))) settled.add(runId);
      } catch (error) {
        log('debug', 'the notice that the server closed a run could not be sent', { workflowId, error: String(error) });
      }
    }
    nextPageToken = page.nextPageToken ?? null;
  } while (nextPageToken && nextPageToken.length > 0);
}

/** Undefined for an execution with which its run has not ended. */
async function closedByServer(
  service: ListingServer['workflowService'],
  ask: <T>(work: () => Promise<T>) => Promise<T>,
  namespace: string,
  execution: { workflowId: string; runId: string },
): Promise<ClosedByServer | undefined> {
  const { workflowId, runId } = execution;
  const [own, newest] = await Promise.all(
    [execution, { workflowId }].map((one) => ask(() => service.describeWorkflowExecution({ namespace, execution: one }))),
  );
  const [info, last] = [own?.workflowExecutionInfo, newest?.workflowExecutionInfo];
  if (!info || (info.status !== TERMINATED && info.status !== TIMED_OUT)) return undefined;
  const run = info.firstRunId || runId;
  if (last?.execution?.runId !== runId && (last?.firstRunId || last?.execution?.runId) === run) return undefined;
  const code = info.status === TERMINATED ? 'terminated' : 'timeout';
  const history = await ask(() => service.getWorkflowExecutionHistoryReverse({ namespace, execution, maximumPageSize: 1 }));
  const { reason } = history.history?.events?.[0]?.workflowExecutionTerminatedEventAttributes ?? {};
  return {
    workflowId,
    run,
    execution: runId,
    pipeline: info.type?.name ?? workflowId,
    code,
    reason: reason || (code === 'terminated' ? 'the workflow was terminated' : 'its time ran out'),
  };
}
