import { judges } from '../../kinds/questions';
import { upstreamOf } from '../../plan/steps/order';
import type { AgentStep, ReviewStep } from '../../plan/steps/step';
import type { LoadedRun } from '../run/loaded-run';
import { blockAround } from './block-around';

/** Steps and agents whose work a review may send back: those upstream of it in its block. Undefined if it sends nothing back. */
export function reviseTargets(run: Pick<LoadedRun, 'plan' | 'steps'>, review: AgentStep | ReviewStep): string[] | undefined {
  if (!judges(review) || !review.onRevise) return undefined;
  const block = blockAround(run, review.id);
  if (!block) return undefined;
  const upstream = upstreamOf(block, review.id);
  return [...new Set(upstream.flatMap((step) => ('agent' in step && typeof step.agent === 'string' ? [step.id, step.agent] : [step.id])))];
}
