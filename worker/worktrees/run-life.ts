import type { WorkflowService } from '@temporalio/client';
import type { RunKey } from '../../records/ledger';

/** What a server knows of a run. `unknown`: it never had it, or has forgotten it. `atMs`: no later than this. */
export type RunLife = { kind: 'open' } | { kind: 'ended'; atMs: number } | { kind: 'unknown' };

/** Fails if the server does not answer: that says nothing of the run. */
export type AskRunLife = (run: RunKey) => Promise<RunLife>;

/** A connection of a client or of a worker. */
export interface ServerConnection {
  readonly workflowService: Pick<WorkflowService, 'describeWorkflowExecution'>;
  withDeadline<T>(deadline: number, work: () => Promise<T>): Promise<T>;
}

const NOT_FOUND = 5;
const LIMIT_MS = 10_000;
/** `WORKFLOW_EXECUTION_STATUS_…`. A run that continued as new lives elsewhere; an unknown status is no end. */
const ENDED = new Set([2, 3, 4, 5, 7]);

/**
 * Asks for the newest execution under the workflow's id, because a run outlives its executions: by continue-as-new, and by a reset. Only
 * one is open under an id at a time, so a newest one of another run means that ours has ended.
 */
export function runLifeOnServer(server: ServerConnection, namespace: string): AskRunLife {
  return async ({ workflowId, run }) => {
    const request = { namespace, execution: { workflowId } };
    const asked = () => server.workflowService.describeWorkflowExecution(request);
    const info = await server.withDeadline(Date.now() + LIMIT_MS, asked).then(
      ({ workflowExecutionInfo }) => workflowExecutionInfo,
      (error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      },
    );
    if (!info) return { kind: 'unknown' };
    // Servers before 1.26 do not say it; then the newest is taken for ours, which removes too little.
    if (info.firstRunId && info.firstRunId !== run) return { kind: 'ended', atMs: millisOf(info.startTime) };
    return ENDED.has(info.status ?? 0) ? { kind: 'ended', atMs: millisOf(info.closeTime) } : { kind: 'open' };
  };
}

interface Timestamp {
  seconds?: { toString(): string } | null;
}

/** Now, if the server does not say: nothing is removed too early. */
function millisOf(time: Timestamp | null | undefined): number {
  return time?.seconds ? Number(time.seconds.toString()) * 1000 : Date.now();
}

function isNotFound(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === NOT_FOUND;
}
