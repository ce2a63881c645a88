import { isUsage, type Usage } from '../../plan/budgets/usage';
import { isJsonObject } from '../../plan/text/json';

/**
 * What one call of an agent has come to, in the ledger's log `<id>/account`: a line for each reply that was paid for, one for each request
 * that was never answered and may have been paid for, and one for each time that the call failed. `thermidor cost` and recordings are made
 * of it.
 */
export type AccountEntry = PaidEntry | FailedEntry;

export interface PaidEntry {
  kind: 'paid';
  /** ISO 8601. */
  at: string;
  /** The run's id, and that of the run whose child it is. */
  run: string;
  parent?: string;
  pipeline: string;
  step: string;
  /** Whose reply it was: the step's address, with what belongs to the step behind it (`draft#1~1/critic`). */
  call: string;
  agent: string;
  adapter: string;
  /** The one that answered, where that is known; else the one that was asked for. */
  model?: string;
  /** As it was priced then. */
  usage: Usage;
  /** No reply came of the request: its cost is unknown, and at most what was reserved for it under a ceiling in dollars. */
  unanswered?: true;
}

export interface FailedEntry {
  kind: 'failed';
  at: string;
  call: string;
  code: string;
  message: string;
  retryAfterMs?: number;
}

/** Name of a call's account in the ledger. */
export function accountLog(callId: string): string {
  return `${callId}${ACCOUNT}`;
}

export const ACCOUNT = '/account';

/** Undefined where a line is none, as of a version to come. */
export function readAccountEntry(line: unknown): AccountEntry | undefined {
  if (!isJsonObject(line)) return undefined;
  const { kind, at, code, message, usage, parent, model, retryAfterMs } = line;
  const { run, pipeline, step, call, agent, adapter } = line;
  if (typeof at !== 'string' || typeof call !== 'string') return undefined;
  if (kind === 'failed' && typeof code === 'string' && typeof message === 'string') {
    return { kind, at, call, code, message, ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}) };
  }
  if (kind !== 'paid' || typeof run !== 'string' || typeof pipeline !== 'string' || typeof step !== 'string') return undefined;
  if (typeof agent !== 'string' || typeof adapter !== 'string' || !isUsage(usage)) return undefined;
  const known = {
    ...(typeof parent === 'string' ? { parent } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    ...(line['unanswered'] === true ? ({ unanswered: true } as const) : {}),
  };
  return { kind, at, run, pipeline, step, call, agent, adapter, usage, ...known };
}
