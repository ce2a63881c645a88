import type { BudgetSpec } from '../../plan/budgets/budget';
import type { Usage } from '../../plan/budgets/usage';
import type { Step } from '../../plan/steps/step';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { artifact, planOf, runPlan, type StepBehaviour, type World, type WorldOptions } from '../support/world';

/** Agents with a given need of tokens, in runs with a budget. */

export const tokens = (count: number, costMicroUsd: number | null = 0): Usage => ({
  inputTokens: count,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costMicroUsd,
});

/** An agent that needs `count` tokens. It asks before it uses more than its budget, and then uses them. */
export function needing(count: number): StepBehaviour {
  return ({ input }) => need(count, input);
}

export function need(count: number, { budget }: StepInput): StepOutput {
  if (budget?.tokens !== undefined && budget.tokens < count) {
    return { paused: { kind: 'budget', short: { kind: 'tokens', needed: count } }, usage: tokens(0) };
  }
  return { artifact: artifact('done'), usage: tokens(count) };
}

export const run = (steps: Step[], budget: BudgetSpec, options: WorldOptions = {}): World => runPlan(planOf(steps, { budget }), options);
export const grants = (world: World): (number | undefined)[] => world.seen.map(({ input }) => input.budget?.tokens);
