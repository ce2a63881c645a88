import { WorkflowNotFoundError } from '@temporalio/client';
import { QUEUE_VIEW } from '../plan/queue/ticket';
import type { EndContent } from '../plan/run/end-content';
import type { Json } from '../plan/text/json';
import type { RunKey } from '../records/ledger';
import type { RunsOnServer } from '../records/pruning/runs-on-server';
import { asJson } from '../records/stored-json';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { executionsOf } from './executions';
import { quoted } from './list-runs';
import { queryPatiently, readEnd } from './read-run';

/** A status that is not known, such as one of a later server, is no end. */
const ENDED: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT']);

/** `run` of the ledgers of merge queues. */
const QUEUE_RUN = 'queue';

/** What a prune of the store asks the server. */
export function runsOnServer(client: ThermidorClient): RunsOnServer {
  return {
    async isOpen({ workflowId, run }) {
      const newest = await unlessUnknown(() => client.call(() => client.temporal.workflow.getHandle(workflowId).describe()));
      if (newest === undefined || ENDED.has(newest.status.name)) return false;
      // Only one run is open under an id. A server that does not say which means ours.
      const first = newest.raw.workflowExecutionInfo?.firstRunId;
      return run === QUEUE_RUN || !first || first === run;
    },
    async *open() {
      const query = `TaskQueue = ${quoted(client.taskQueue)} AND ExecutionStatus = 'Running'`;
      for await (const { workflowId, runId, startTime } of executionsOf(client, query)) {
        yield { workflowId, run: runId, startedMs: startTime.getTime() };
      }
    },
    says: (run) => unlessSilent(() => stateOf(client, run)),
    async clockMs() {
      const { pollers } = await client.call(() =>
        client.temporal.workflowService.describeTaskQueue({
          namespace: client.namespace,
          taskQueue: { name: client.taskQueue },
          taskQueueType: WORKFLOW_TASKS,
        }),
      );
      const seen = (pollers ?? []).map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000);
      return seen.length === 0 ? undefined : Math.max(...seen);
    },
  };
}

/** A value of the server's enum TaskQueueType. */
const WORKFLOW_TASKS = 1;

async function stateOf(client: ThermidorClient, { workflowId, run }: RunKey): Promise<Json> {
  if (run === QUEUE_RUN) return asJson(await queryPatiently<object, []>(client, workflowId, QUEUE_VIEW, []));
  return asJson((await readEnd(client, workflowId)) satisfies EndContent);
}

async function unlessUnknown<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** A server that is away is no run that is silent. */
async function unlessSilent<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ClientProblem && error.code.startsWith('server.')) throw error;
    return undefined;
  }
}
