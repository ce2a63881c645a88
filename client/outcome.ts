import { ApplicationFailure, CancelledFailure, TerminatedFailure, TimeoutFailure, WorkflowFailedError } from '@temporalio/client';
import type { ArtifactRef } from '../plan/run/artifact';
import type { RunResult } from '../plan/run/run-result';
import type { ErrorView, RunState } from '../plan/run/status';
import { isJsonObject, type Json } from '../plan/text/json';
import { copyField, numberAt, type Spelled } from '../plan/text/spelled-json';

/** How a run ended. */
export interface RunOutcome {
  state: Extract<RunState, 'completed' | 'rejected' | 'failed' | 'cancelled'>;
  /** It keeps the spelling of a number (`endOutput`). */
  output?: Json;
  artifacts?: Record<string, ArtifactRef>;
  reason?: string;
  error?: ErrorView;
}

const ENDED: ReadonlySet<RunState> = new Set<RunState>(['completed', 'rejected', 'failed', 'cancelled']);

export function hasEnded(state: RunState): state is RunOutcome['state'] {
  return ENDED.has(state);
}

/** From the value a closed workflow gave. */
export function outcomeOfResult(result: unknown): RunOutcome {
  if (!isJsonObject(result)) return { state: 'completed' };
  const { status, output, artifacts, reason } = result as Partial<RunResult>;
  const outcome: RunOutcome = { state: status === 'rejected' ? 'rejected' : 'completed' };
  if (output !== undefined) copyField(result, 'output', outcome);
  if (artifacts !== undefined) outcome.artifacts = artifacts;
  if (reason !== undefined) outcome.reason = reason;
  return outcome;
}

export function endOutput(outcome: RunOutcome | undefined): Spelled | undefined {
  return outcome && (numberAt(outcome, 'output') ?? outcome.output);
}

/** Parses the error that waiting for a workflow threw; undefined if that error does not say how the run ended. */
export function outcomeOfError(error: unknown): RunOutcome | undefined {
  if (!(error instanceof WorkflowFailedError)) return undefined;
  const { cause } = error;
  if (cause instanceof CancelledFailure) return { state: 'cancelled' };
  if (cause instanceof TerminatedFailure) return failed('terminated', cause.message || 'the workflow was terminated');
  if (cause instanceof TimeoutFailure) return failed('timeout', cause.message);
  if (cause instanceof ApplicationFailure) return failed(cause.type ?? 'internal', cause.message);
  return failed('internal', cause?.message ?? error.message);
}

function failed(code: string, message: string): RunOutcome {
  return { state: 'failed', error: { code, message } };
}
