import { isUsage, type Usage } from '../../plan/budgets/usage';
import { defined } from '../../plan/defined';
import { isJsonObject } from '../../plan/text/json';

/**
 * The record of one call of an agent, in the ledger's log `<id>/account`: one line for each reply that was paid for, one for each request
 * that was never answered and may have been paid for, and one for each failure of the call. `thermidor cost` and recordings are made from
 * it.
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
  /** The call of the reply: the step's address, followed by the part of the step (`draft#1~1/critic`). */
  call: string;
  agent: string;
  adapter: string;
  /** The model that answered, if known; else the requested one. */
  model?: string;
  /** The usage, priced at the time. */
  usage: Usage;
  /** The request was never answered: its cost is unknown, and at most what was reserved for it under a ceiling in dollars. */
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

/** Undefined if a line is invalid, for example one of a later version. */
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
    ...defined({ parent: typeof parent === 'string' ? parent : undefined, model: typeof model === 'string' ? model : undefined }),
    ...(line['unanswered'] === true ? ({ unanswered: true } as const) : {}),
  };
  return { kind, at, run, pipeline, step, call, agent, adapter, usage, ...known };
}
