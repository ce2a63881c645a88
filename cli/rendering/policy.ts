import type { Action } from '../../plan/action';
import type { BudgetSpec, RetryPolicy, WorktreeSpec } from '../../plan/step';
import { describeActions } from './action';
import { writeTemplate } from './expression';
import { duration } from './time';
import { count } from './usage';

/** What a plan says of a step beside its work, in words; the plan, the dry run and their data share them. */

export function describeRetry({ max, backoff, delayMs, maxDelayMs, jitter }: RetryPolicy): string {
  const delay = duration(delayMs ?? 1000);
  const growing = backoff === 'exponential' ? `${delay} doubling up to ${duration(maxDelayMs ?? 30_000)}` : delay;
  return `at most ${max} ${max === 1 ? 'try' : `tries, ${growing} between them`}${jitter && max > 1 ? ', with jitter' : ''}`;
}

export function describeBudget(budget: BudgetSpec): string {
  const { tokens, costMicroUsd, wallClockMs, toolCallsPerStep, retriesPerStep } = budget;
  const facts: string[] = [];
  if (tokens !== undefined) facts.push(`${count(tokens)} tokens`);
  if (costMicroUsd !== undefined) facts.push(`$${(costMicroUsd / 1_000_000).toFixed(2)}`);
  if (wallClockMs !== undefined) facts.push(duration(wallClockMs));
  if (toolCallsPerStep !== undefined) facts.push(`${toolCallsPerStep} tool calls a step`);
  if (retriesPerStep !== undefined) facts.push(`${retriesPerStep} retries a step`);
  return facts.join(', ');
}

export function describeWorktree(worktree: WorktreeSpec): string {
  if ('of' in worktree) return `that of ${worktree.of}`;
  const { repo, base, keep } = worktree;
  const facts = ['one of its own'];
  if (repo) facts.push(`of ${writeTemplate(repo)}`);
  if (base) facts.push(`from ${writeTemplate(base)}`);
  return facts.join(' ') + (keep ? ', kept' : '');
}

export interface Policies {
  timeoutMs?: number;
  retry?: RetryPolicy;
  onError?: readonly Action[];
  queue?: string;
  priority?: number;
  worktree?: WorktreeSpec;
  budget?: BudgetSpec;
}

/** A line each, in the order in which they matter. */
export function describePolicies(step: Policies): string[] {
  const lines: string[] = [];
  if (step.timeoutMs !== undefined) lines.push(`time-out ${duration(step.timeoutMs)}`);
  if (step.retry !== undefined) lines.push(describeRetry(step.retry));
  if (step.onError !== undefined) lines.push(`on error: ${describeActions(step.onError)}`);
  if (step.queue !== undefined) lines.push(`on a worker of queue ${step.queue}`);
  if (step.priority !== undefined) lines.push(`priority ${step.priority}`);
  if (step.worktree !== undefined) lines.push(`worktree: ${describeWorktree(step.worktree)}`);
  if (step.budget !== undefined) lines.push(`budget: ${describeBudget(step.budget)}`);
  return lines;
}
