import { randomUUID } from 'node:crypto';
import {
  ApplicationFailure,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { TEAM_RUNS } from '../plan/board/team-run';
import { defined } from '../plan/defined';
import type { GateView } from '../plan/people/gate';
import { SIGNAL_OUTCOMES, type SignalName, type SignalOutcome, type SignalPayload, type SignalReceipt } from '../plan/run/signal';
import { field, isJsonObject } from '../plan/text/json';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { isNotFound } from './error-cause';
import { ofSilentWorker } from './silent-worker';

/** Longer than a query: an update waits for the workflow task that takes it. */
const UPDATE_LIMIT_MS = 15_000;

/**
 * Decides a gate or gives an operator's command, as an update: it is applied or refused at once, never just noted.
 *
 * `updateId`: a repeated one gets the first answer again, so that an order whose answer was lost can be repeated. Fails with
 * `signal.refused` (details: outcome, gates), `run.ended`, `worker.missing`.
 */
export async function actOnRun(
  client: ThermidorClient,
  run: string,
  name: SignalName,
  payload: SignalPayload,
  updateId?: string,
): Promise<SignalReceipt> {
  try {
    const handle = client.temporal.workflow.getHandle(run);
    const once = updateId === undefined ? {} : { updateId };
    return await client.call(
      () => handle.executeUpdate<SignalReceipt, [SignalPayload]>(name, { args: [payload], ...once }),
      UPDATE_LIMIT_MS,
    );
  } catch (error) {
    throw await ofSilentWorker(client, refusalByRun(error, run, name) ?? error);
  }
}

/** Asks the run to stop, and says why: its children first, artifacts kept. Fails with `run.ended`. */
export async function cancelRun(client: ThermidorClient, run: string, reason = ''): Promise<void> {
  const { workflowService, options } = client.temporal;
  const { namespace, identity } = options;
  const request = { namespace, identity, reason, workflowExecution: { workflowId: run }, requestId: randomUUID() };
  try {
    await client.call(() => workflowService.requestCancelWorkflowExecution(request));
  } catch (error) {
    throw isNotFound(error) ? runEnded(run, 'cancel', error) : error;
  }
}

/** The failure for a refused update, undefined if the error is something else. */
export function refusalByRun(error: unknown, run: string, name: string): ClientProblem | undefined {
  if (error instanceof WorkflowNotFoundError) return runEnded(run, name, error);
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
    return new ClientProblem('worker.missing', `no worker took "${name}" for run "${run}" in time; a later worker may still process it`, {
      hint: 'start one with `thermidor worker` or `thermidor up`, then try again',
      cause: error,
    });
  }
  if (!(error instanceof WorkflowUpdateFailedError)) return undefined;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return new ClientProblem('signal.refused', cause?.message ?? error.message, { cause: error });
  if (cause.type === 'AcceptedUpdateCompletedWorkflow') return runEnded(run, name, error);
  const gates = gatesIn(cause.details);
  // The hint says the same, with the possible answers.
  const message = gates.length === 0 ? cause.message : cause.message.replace(/ \(open gates: [^()]*\)$/, '');
  return new ClientProblem('signal.refused', message, {
    ...(gates.length === 0 ? {} : { hint: `open gates: ${gates.map((gate) => `${gate.step} (${gate.choices.join(', ')})`).join('; ')}` }),
    details: { outcome: outcomeOf(cause.type), gates },
    cause: error,
  });
}

/** The problem of an order to a run that is over. */
export function runEnded(run: string, name: string, cause?: unknown): ClientProblem {
  return new ClientProblem('run.ended', `run "${run}" has ended: "${name}" can do nothing any more`, {
    hint: `see how it ended with: thermidor status ${run}${startsAgain(run)}`,
    ...defined({ cause }),
  });
}

/** The problem of an order to a run that is not of this installation. */
export function runImported(run: string, name: string): ClientProblem {
  return new ClientProblem('run.imported', `run "${run}" was imported from another installation: "${name}" can do nothing here`, {
    hint: `it can only be looked at: thermidor status ${run}`,
  });
}

function startsAgain(run: string): string {
  return run.startsWith(TEAM_RUNS) ? `; start the team again with: thermidor team start ${run.slice(TEAM_RUNS.length)}` : '';
}

/** `signal.late` → `late`. */
function outcomeOf(type: string | undefined | null): SignalOutcome {
  const word = type?.replace(/^signal\./, '');
  return SIGNAL_OUTCOMES.find((outcome) => outcome === word) ?? 'refused';
}

function gatesIn(details: unknown): GateView[] {
  const gates: unknown = Array.isArray(details) ? field(details[0], 'gates') : undefined;
  return Array.isArray(gates) ? (gates as unknown[]).filter(isGate) : [];
}

function isGate(value: unknown): value is GateView {
  return isJsonObject(value) && typeof value['step'] === 'string' && Array.isArray(value['choices']);
}
