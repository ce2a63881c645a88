import type { WorkflowService } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { TASK_QUEUE } from '../../plan/run/contract';
import type { FailureCode } from '../../plan/run/failure';

/**
 * Fails the activities that killed workers left behind, so that Temporal tries them again at once and not after a heartbeat timeout. Loads
 * no part of Temporal itself: the connection comes from the caller.
 *
 * Invariants: 1. only an activity that a lost worker holds is touched, never one that a living worker has or that waits;
 * 2. doing it twice, or while the server gives up on the activity itself, does no harm.
 */
export interface LostActivitiesOptions {
  connection: { workflowService: WorkflowService };
  namespace: string;
  lostWorkers: readonly string[];
  /** The worker that takes over. */
  identity: string;
  /** @default 'thermidor' */
  taskQueue?: string;
}

/** An activity that was given back. */
export interface FailedActivity {
  workflowId: string;
  activityId: string;
  worker: string;
}

type PendingState = temporal.api.enums.v1.PendingActivityState;
const STARTED: PendingState = 2;
/** The lost worker would have had to confirm the cancellation, so it is confirmed for it. */
const CANCEL_REQUESTED: PendingState = 3;
const WORKER_LOST: FailureCode = 'worker.lost';
const GRPC_NOT_FOUND = 5;
const PAGE_SIZE = 200;
const AT_ONCE = 8;

export async function failLostActivities(options: LostActivitiesOptions): Promise<FailedActivity[]> {
  const taken: FailedActivity[] = [];
  if (options.lostWorkers.length === 0) return taken;
  for await (const executions of openExecutions(options)) {
    for (let from = 0; from < executions.length; from += AT_ONCE) {
      const lots = await Promise.all(executions.slice(from, from + AT_ONCE).map((execution) => takeOverOf(execution, options)));
      taken.push(...lots.flat());
    }
  }
  return taken;
}

interface Execution {
  workflowId: string;
  runId: string;
}

async function* openExecutions({ connection, namespace, taskQueue = TASK_QUEUE }: LostActivitiesOptions): AsyncGenerator<Execution[]> {
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await connection.workflowService.listWorkflowExecutions({
      namespace,
      pageSize: PAGE_SIZE,
      query: `TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Running'`,
      nextPageToken,
    });
    yield page.executions.map(({ execution }) => ({ workflowId: execution?.workflowId ?? '', runId: execution?.runId ?? '' }));
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
}

async function takeOverOf(execution: Execution, options: LostActivitiesOptions): Promise<FailedActivity[]> {
  const { connection, namespace, lostWorkers } = options;
  const taken: FailedActivity[] = [];
  await unlessGone(async () => {
    const { pendingActivities } = await connection.workflowService.describeWorkflowExecution({ namespace, execution });
    for (const { activityId, lastWorkerIdentity, state } of pendingActivities) {
      if (!activityId || !lastWorkerIdentity || !lostWorkers.includes(lastWorkerIdentity)) continue;
      if (state !== STARTED && state !== CANCEL_REQUESTED) continue;
      const given = await giveBack({ ...execution, activityId }, state, lastWorkerIdentity, options);
      if (given) taken.push({ workflowId: execution.workflowId, activityId, worker: lastWorkerIdentity });
    }
  });
  return taken;
}

function giveBack(
  activity: Execution & { activityId: string },
  state: PendingState,
  worker: string,
  options: LostActivitiesOptions,
): Promise<boolean> {
  const { connection, namespace, identity } = options;
  const service = connection.workflowService;
  const which = { namespace, identity, ...activity };
  if (state === CANCEL_REQUESTED) return unlessGone(() => service.respondActivityTaskCanceledById(which));
  const failure = {
    message: `worker stopped: ${worker}`,
    source: 'thermidor',
    applicationFailureInfo: { type: WORKER_LOST, nonRetryable: false },
  };
  return unlessGone(() => service.respondActivityTaskFailedById({ ...which, failure }));
}

/** False if the run or the activity ended between the look and the call. */
async function unlessGone(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === GRPC_NOT_FOUND) return false;
    throw error;
  }
}
