import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { defined, ifDefined } from '../plan/defined';
import type { ProofChannel } from '../plan/people/proof';
import type { ControlRef } from '../plan/run/artifact';
import type { RunInput, ScheduledFor } from '../plan/run/run-input';
import type { Json, JsonObject } from '../plan/text/json';
import { seal } from './callbacks/signatures';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';

export interface StartRun {
  workflowId: string;
  pipeline: string;
  description?: string;
  /** The frozen plan, stored where the workers can read it. */
  plan?: ControlRef<'plan'>;
  args?: Record<string, Json>;
  /** The name of a script in the pipeline's folder, or its reference if the client stored it. */
  script?: string | ControlRef<'script'>;
  /** The trace that it is started in. */
  traceparent?: string;
  /** The moment that the run is for. */
  scheduled?: ScheduledFor;
  /** Who starts it; with four eyes somebody else decides. */
  startedBy?: string;
  /** The starter's own token, which proves it. It is never sent: it seals the start. */
  token?: string;
  /** Replaces a token: the listener's key, and the chat that has proven the starter. */
  service?: { key: Buffer; channel: ProofChannel };
  /** For a rerun: what the earlier run carries over. */
  carried?: ControlRef<'carry'>;
  /** The starter asks for a post-mortem. */
  postMortem?: boolean;
  /** A run with this id that has ended is followed by this one, as the runs of a team are. */
  follows?: true;
}

/** Starts a run and returns the id of its first execution. Fails with `run.exists`. */
export async function startRun(client: ThermidorClient, start: StartRun): Promise<{ run: string; firstRunId: string }> {
  const input = sealedInput(client, start, inputOf(start));
  try {
    const handle = await client.call(() =>
      client.temporal.workflow.start(start.pipeline, {
        workflowId: start.workflowId,
        taskQueue: client.taskQueue,
        args: [input],
        workflowIdReusePolicy: start.follows ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
        ...defined({ staticSummary: ifDefined(start.description, firstLine) }),
      }),
    );
    return { run: handle.workflowId, firstRunId: handle.firstExecutionRunId };
  } catch (error) {
    // There is no run yet that could be missing: the namespace is.
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

function inputOf(start: StartRun): RunInput {
  const input: RunInput = {};
  if (start.plan !== undefined) input.plan = start.plan;
  if (start.args !== undefined && Object.keys(start.args).length > 0) input.args = start.args;
  if (start.script !== undefined) input.script = start.script;
  if (start.traceparent !== undefined) input.traceparent = start.traceparent;
  if (start.scheduled !== undefined) input.scheduled = start.scheduled;
  if (start.startedBy !== undefined) input.startedBy = start.startedBy;
  if (start.carried !== undefined) input.carried = start.carried;
  if (start.postMortem) input.postMortem = true;
  return input;
}

/** Sealed at the last moment: a seal is good for minutes. */
function sealedInput(
  { namespace }: ThermidorClient,
  { workflowId, pipeline, startedBy, token, service }: StartRun,
  input: RunInput,
): RunInput {
  const key = service?.key ?? token;
  if (key === undefined || startedBy === undefined) return input;
  const said = input as JsonObject;
  const sealed = { kind: 'start', namespace, run: workflowId, pipeline, by: startedBy, input: said } as const;
  return { ...input, proof: seal(key, sealed, service?.channel ?? 'console', new Date().toISOString()) };
}

/** A summary that the server accepts: one line, at most 400 bytes. */
function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return Buffer.byteLength(line) <= 400 ? line : `${line.slice(0, 99)}…`;
}
