import { RETRIES_PER_STEP } from '../plan';
import type { AgentStep, RetryPolicy, ReviewStep } from '../steps/step';

/** One repair request for each incomplete reply, if the step does not say otherwise. */
export const DEFAULT_REPAIRS = 1;

/** How often a step can ask its agent in one round, at most. Turns that an agent takes with its tools are not counted. */
export interface RequestLimits {
  tries: number;
  requests: number;
}

/**
 * How many tries a step has in a round, the first included, whatever each of them failed with: `max` of its `retry`, else
 * `RETRIES_PER_STEP` more than the first; no more than the budgets allow.
 *
 * @param ceilings `retries_per_step` of the budgets around the step; the tightest counts
 */
export function mostTries(retry: RetryPolicy | undefined, ceilings: readonly number[]): number {
  const own = retry?.max ?? (ceilings.length > 0 ? Number.POSITIVE_INFINITY : 1 + RETRIES_PER_STEP);
  return Math.min(own, ...ceilings.map((retries) => 1 + retries));
}

/** @param ceilings as `mostTries` takes them */
export function requestLimits({ retry, repair = DEFAULT_REPAIRS }: AgentStep | ReviewStep, ceilings: readonly number[]): RequestLimits {
  const tries = mostTries(retry, ceilings);
  return { tries, requests: tries * (1 + repair) };
}
