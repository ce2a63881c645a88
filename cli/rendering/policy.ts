import { describeBudget } from '../../plan/budgets/budget-words';
import type { Template } from '../../plan/expressions/expression';
import { writeTemplate } from '../../plan/expressions/write-expression';
import type { CommentRule } from '../../plan/people/decision-policy';
import { mustApprove } from '../../plan/people/quorum';
import type { CategoryPolicy } from '../../plan/plan';
import { describeActions, describeTarget, type EscalationTarget } from '../../plan/steps/action';
import type { RetryPolicy, StepBase, WorktreeSpec } from '../../plan/steps/step';
import type { EmitSpec } from '../../plan/steps/stream';
import { duration } from '../../plan/text/duration';
import { oneLine } from './text/printable';

/** The settings of a step in a plan, apart from its work, in words; shared by the plan, the dry run and their data. */

function describeRetry({ max, backoff, delayMs, maxDelayMs, jitter }: RetryPolicy): string {
  const delay = duration(delayMs ?? 1000);
  const growing = backoff === 'exponential' ? `${delay} doubling up to ${duration(maxDelayMs ?? 30_000)}` : delay;
  return `at most ${max} ${max === 1 ? 'try' : `tries, ${growing} between them`}${jitter && max > 1 ? ', with jitter' : ''}`;
}

/** Who approves actions of a category, and how. */
export function describeCategoryPolicy(policy: CategoryPolicy): string {
  const { approvers, channel = '#approvals', timeoutMs, onTimeout, remindMs } = policy;
  const facts = [`${approvers?.join(', ') ?? 'anyone'} in ${channel}`];
  const agreed = mustApprove(policy);
  if (agreed !== undefined) facts.push(agreed);
  if (policy.fourEyes) facts.push(FOUR_EYES);
  facts.push(...describeIdentity(policy));
  if (timeoutMs !== undefined) facts.push(`after ${duration(timeoutMs)}: ${onTimeout ?? 'wait on'}`);
  if (remindMs !== undefined) facts.push(`reminds every ${duration(remindMs)}`);
  return facts.join('; ');
}

const FOUR_EYES = 'neither the owner nor the person who started the run may decide';

/** What a decision must come with. */
function describeIdentity({ identity, comment }: { identity?: 'proven'; comment?: CommentRule }): string[] {
  const facts: string[] = [];
  if (identity !== undefined) facts.push('the identity of the person who decides must be proven');
  if (comment !== undefined) facts.push(comment === 'always' ? 'a decision needs a comment' : 'a rejection needs a comment');
  return facts;
}

/** An escalation target: an agent with its part, a group with its members. */
export function describeWhom(target: EscalationTarget): string {
  const name = describeTarget(target);
  if (target.kind === 'agent') return `${name} (${target.decides === 'human' ? 'advises' : 'decides'})`;
  const people = target.people ?? target.approvers ?? [];
  return people.length === 0 || (people.length === 1 && people[0] === name) ? name : `${name} (${people.join(', ')})`;
}

function describeWorktree(worktree: WorktreeSpec): string {
  if ('of' in worktree) return `that of ${worktree.of}`;
  const { repo, remote, base, copy, setup, teardown, keep, shared } = worktree;
  const facts = [shared ? 'one for all its turns' : 'one of its own'];
  if (repo) facts.push(`of ${writeTemplate(repo)}`);
  if (remote !== undefined) facts.push(`at ${remote}`);
  if (base) facts.push(`from ${writeTemplate(base)}`);
  const commands = (of: readonly Template[]): string => oneLine(of.map(writeTemplate).join('; '));
  return [
    facts.join(' '),
    ...(copy ? [`with ${copy.join(', ')}`] : []),
    ...(setup ? [`set up by ${commands(setup)}`] : []),
    ...(teardown ? [`torn down by ${commands(teardown)}`] : []),
    ...(keep ? ['kept'] : []),
  ].join(', ');
}

/** Keys that are the same of steps of every kind, in the order of the data. */
const POLICY_KEYS = ['timeoutMs', 'retry', 'onError', 'queue', 'priority', 'worktree', 'budget', 'category'] as const;

export type Policies = Pick<StepBase, (typeof POLICY_KEYS)[number]>;

export function policiesOf(step: Policies): Policies {
  return Object.fromEntries(POLICY_KEYS.flatMap((key) => (step[key] === undefined ? [] : [[key, step[key]]])));
}

/** A line each, in the order in which they matter. `each`: of its description. */
export function describePolicies(
  step: Policies & Pick<StepBase, 'blockedAfterMs'> & { summary?: string },
  each: string | undefined,
): string[] {
  const lines: string[] = [];
  if (step.category !== undefined) lines.push(`needs approval first: ${step.category}`);
  if (step.timeoutMs !== undefined) lines.push(`timeout ${duration(step.timeoutMs)}`);
  if (step.blockedAfterMs !== undefined) lines.push(`blocked after ${duration(step.blockedAfterMs)}`);
  if (step.retry !== undefined) lines.push(describeRetry(step.retry));
  if (step.onError !== undefined) lines.push(`on error: ${describeActions(step.onError)}`);
  if (step.queue !== undefined) lines.push(`on a worker of queue ${step.queue}`);
  if (step.priority !== undefined) lines.push(`priority ${step.priority}`);
  if (step.worktree !== undefined) lines.push(`worktree: ${describeWorktree(step.worktree)}`);
  if (step.budget !== undefined) lines.push(`budget: ${describeBudget(step.budget, each)}`);
  if (step.summary !== undefined) lines.push(`summary: ${oneLine(step.summary)}`);
  return lines;
}

/** The stream of a step that emits items while it works. */
export function describeEmits({ name, maxItems, maxWaiting }: Pick<EmitSpec, 'name' | 'maxItems' | 'maxWaiting'>): string {
  return `emits ${name}: at most ${maxItems}, of which ${maxWaiting} may wait`;
}
