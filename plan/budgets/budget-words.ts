import { duration } from '../text/duration';
import { count } from '../text/short-count';
import type { BudgetSpec } from './budget';

/** `50.0k tokens, $2.50, 20m`. `each`: what a ceiling for each step is one for. */
export function describeBudget(budget: BudgetSpec, each = 'step'): string {
  const { tokens, costMicroUsd, wallClockMs, toolCallsPerStep, retriesPerStep, onUnknownCost, onUnlimited } = budget;
  const facts: string[] = [];
  if (tokens !== undefined) facts.push(`${count(tokens)} tokens`);
  if (costMicroUsd !== undefined) facts.push(`$${(costMicroUsd / 1_000_000).toFixed(2)}`);
  if (wallClockMs !== undefined) facts.push(duration(wallClockMs));
  if (toolCallsPerStep !== undefined) facts.push(`${toolCallsPerStep} tool calls a ${each}`);
  if (retriesPerStep !== undefined) facts.push(`${retriesPerStep} retries a ${each}`);
  if (onUnknownCost !== undefined) facts.push(onUnknownCost === 'allow' ? 'unknown cost allowed' : 'unknown cost holds the run');
  if (onUnlimited !== undefined) facts.push(onUnlimited === 'allow' ? 'unlimited replies allowed' : 'unlimited replies hold the run');
  return facts.join(', ');
}
