import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { ControlRef } from '../plan/artifact';
import type { RunInput } from '../plan/contract';
import type { Json } from '../plan/json';
import type { ThermidorClient } from './connect';
import { ClientProblem } from './problem';

export interface StartRun {
  workflowId: string;
  pipeline: string;
  description?: string;
  /** The frozen plan, stored where the workers read it. */
  plan?: ControlRef<'plan'>;
  args?: Record<string, Json>;
  /** The name of a script beside the pipeline, or its reference where the client stored it. */
  script?: string | ControlRef<'script'>;
  /** Who starts it; by four eyes somebody else decides. */
  startedBy?: string;
  /** Of a rerun: what the run before it carries over. */
  carried?: ControlRef<'carry'>;
}

/** Starts a run and answers with the id of its first execution. Fails with `run.exists`. */
export async function startRun(client: ThermidorClient, start: StartRun): Promise<{ run: string; firstRunId: string }> {
  const input: RunInput = {};
  if (start.plan !== undefined) input.plan = start.plan;
  if (start.args !== undefined && Object.keys(start.args).length > 0) input.args = start.args;
  if (start.script !== undefined) input.script = start.script;
  if (start.startedBy !== undefined) input.startedBy = start.startedBy;
  if (start.carried !== undefined) input.carried = start.carried;
  try {
    const handle = await client.call(() =>
      client.temporal.workflow.start(start.pipeline, {
        workflowId: start.workflowId,
        taskQueue: client.taskQueue,
        args: [input],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        ...(start.description === undefined ? {} : { staticSummary: firstLine(start.description) }),
      }),
    );
    return { run: handle.workflowId, firstRunId: handle.firstExecutionRunId };
  } catch (error) {
    // There is no run yet that could be missing: it is what the run was to start in.
    if (error instanceof WorkflowNotFoundError) {
      throw new ClientProblem('server.refused', `the server does not start run "${start.workflowId}": ${error.message}`, { cause: error });
    }
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw new ClientProblem('run.exists', `there is already a run "${start.workflowId}"`, {
      hint: `choose another --id, or look at it with: thermidor status ${start.workflowId}`,
      cause: error,
    });
  }
}

/** What the server takes as a summary: one line, at most 400 bytes. */
function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return Buffer.byteLength(line) <= 400 ? line : `${line.slice(0, 99)}…`;
}
