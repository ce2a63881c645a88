import { RETRIES_PER_STEP } from '../plan';
import type { AgentStep, ReviewStep } from '../steps/step';

/** One repair request for each incomplete reply, where the step does not say otherwise. */
export const DEFAULT_REPAIRS = 1;

/** How often a step can ask its agent in one round, at most. Turns that an agent takes with its tools are not counted. */
export interface RequestLimits {
  /** The first, the respawns, the retry after an error of the API, and those of `retry`. */
  tries: number;
  requests: number;
}

/** @param ceilings `retries_per_step` of the budgets around the step; the tightest counts */
export function requestLimits({ retry, repair = DEFAULT_REPAIRS }: AgentStep | ReviewStep, ceilings: readonly number[]): RequestLimits {
  const respawns = ceilings.length > 0 ? Math.min(...ceilings) : RETRIES_PER_STEP;
  const tries = 1 + respawns + 1 + (retry ? retry.max - 1 : 0);
  return { tries, requests: tries * (1 + repair) };
}
