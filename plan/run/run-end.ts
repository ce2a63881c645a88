import type { RunField } from '../expressions/expression';
import type { Json } from '../text/json';
import { unreachable } from '../unreachable';
import type { ScheduledFor } from './run-input';

/** How a run's work ended, decided before its `finally` begins: what `run.state`, `run.error` and `run.failed_step` read there. */
export interface RunEnd {
  state: RunEndState;
  /** `code: message` of a failure, the reason of a rejection. */
  error?: string;
  /** Address of the step that failed, or that a person rejected. */
  failedStep?: string;
}

export const RUN_END_STATES = ['completed', 'rejected', 'failed', 'cancelled'] as const;
export type RunEndState = (typeof RUN_END_STATES)[number];

/** The fields of `run` that have a value only once the work is over. */
export const RUN_END_FIELDS: readonly RunField[] = ['state', 'error', 'failed_step'];

/** What `run` reads of itself. */
export interface RunFacts {
  id: string;
  startedAt: string;
  /** Absent: no schedule had it start. */
  scheduled?: ScheduledFor | undefined;
  end?: RunEnd | undefined;
}

/** A field of `run`; null if the run has not ended, or ended without it, or is of no schedule. */
export function runValue(field: RunField, facts: RunFacts): Json {
  switch (field) {
    case 'id':
      return facts.id;
    case 'startedAt':
      return facts.startedAt;
    case 'scheduled_at':
      return facts.scheduled?.at ?? null;
    case 'scheduled_before':
      return facts.scheduled?.before ?? null;
    case 'state':
      return facts.end?.state ?? null;
    case 'error':
      return facts.end?.error ?? null;
    case 'failed_step':
      return facts.end?.failedStep ?? null;
    default:
      return unreachable(field);
  }
}
