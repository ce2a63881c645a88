import { traitsOf } from '../../../kinds/traits';
import { readFaults } from '../../../plan/agents/reply-fault';
import { mostTries } from '../../../plan/budgets/request-limits';
import { readArtifactRef } from '../../../plan/run/artifact';
import { FAILURES, type FailureCode, type ThermidorFailure } from '../../../plan/run/failure';
import type { ControlStep } from '../../../plan/steps/control';
import type { RetryPolicy } from '../../../plan/steps/step';
import type { TryNote } from '../../../plan/steps/try-note';
import { field } from '../../../plan/text/json';
import { accountsAround, isBudgeted } from '../budget/accounts';
import type { FailureRecord } from '../context/attempt-log';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import { AUTOMATIC_RETRY_DELAY_MS } from './activity-timeouts';

const DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;

/**
 * Whether a failed try is retried automatically, and what the next one gets: a respawn after a timeout or an incomplete reply, one
 * automatic retry after a model API error, then the step's own `retry`. All of them together stay within `mostTries`. A container is tried
 * again only by its own `retry`: its inner steps have had their tries. Counts granted tries in the record.
 */
export function nextTry(
  run: Run,
  place: Place,
  record: StepRecord,
  failure: FailureRecord,
): { delayMs: number; note: TryNote } | undefined {
  const { step } = place;
  if (isBlocked(run, step, record)) return undefined;
  record.tries ??= {};
  const spent = record.tries;
  const retried = retriedBy(step, record, failure);
  const { respawns = 0, automatic = 0, policy = 0 } = spent;
  const ceilings = retryCeilings(run, place);
  if (1 + respawns + automatic + policy >= mostTries(step.retry, ceilings)) return undefined;
  if (retried === 'respawn') {
    spent.respawns = respawns + 1;
    return { delayMs: 0, note: noteOf(failure) };
  }
  if (retried === 'once' && !automatic) {
    spent.automatic = 1;
    return { delayMs: failure.retryAfterMs ?? AUTOMATIC_RETRY_DELAY_MS, note: noteOf(failure) };
  }
  if (!step.retry || policy + 1 >= step.retry.max) return undefined;
  spent.policy = policy + 1;
  return { delayMs: backoff(step.retry, policy, run.ctx.random()), note: noteOf(failure) };
}

/** A phase whose time is up is not tried again: somebody has to help. */
function isBlocked({ ctx }: Run, { blockedAfterMs }: ControlStep, { times: { startedAtMs = 0 } = {} }: StepRecord): boolean {
  return blockedAfterMs !== undefined && ctx.now() >= startedAtMs + blockedAfterMs;
}

/** The coordinator of a brief handles a malformed hand-off itself: no fresh agent is asked for it. */
function retriedBy(step: ControlStep, { brief }: StepRecord, { code }: FailureRecord): (typeof FAILURES)[FailureCode]['retried'] {
  if (brief?.handOff && code === 'reply.invalid') return 'never';
  const { retried } = FAILURES[code];
  const again = retried === 'respawn' || retried === 'once';
  return again && traitsOf(step.kind).retries === 'policy' ? 'never' : retried;
}

/** As the budgets around the step say. */
function retryCeilings(run: Run, place: Place): number[] {
  return isBudgeted(run, place) ? accountsAround(run, place).flatMap(({ ceilings }) => ceilings.retriesPerStep ?? []) : [];
}

/** What a fresh try learns of the previous one. */
export function noteOf(failure: Pick<ThermidorFailure, 'code' | 'message' | 'details'>): TryNote {
  if (failure.code === 'agent.timeout') return { reason: 'timeout', message: failure.message };
  if (FAILURES[failure.code].retried === 'once') return { reason: 'api_error', message: failure.message };
  if (failure.code !== 'reply.invalid' && failure.code !== 'reply.no-verdict') return { reason: 'retry', message: failure.message };
  const missing = field(failure.details, 'missingFields');
  const previous = field(failure.details, 'previous');
  const note: TryNote = { reason: 'missing_fields', message: failure.message };
  if (Array.isArray(missing)) note.missingFields = missing.filter((name): name is string => typeof name === 'string');
  const faults = readFaults(field(failure.details, 'faults'));
  if (faults.length > 0) note.faults = faults;
  const artifact = readArtifactRef(previous);
  if (artifact) note.previous = artifact;
  return note;
}

/** Milliseconds before the next try; `used` counts the retries before this one. */
function backoff(policy: RetryPolicy, used: number, random: number): number {
  const base = policy.delayMs ?? DELAY_MS;
  const grown = policy.backoff === 'exponential' ? base * 2 ** used : base;
  const capped = Math.min(grown, policy.maxDelayMs ?? MAX_DELAY_MS);
  return Math.round(policy.jitter ? capped * (0.5 + random / 2) : capped);
}
