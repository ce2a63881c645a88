import type { Plan } from '../plan';
import type { AgentStep, ReviewStep } from '../steps/step';

/**
 * How deep an agent is, counted as the protocol counts (seed 002, 4.2): an independent agent has depth 0, its child 1, whose child
 * that one starts 2. Independent are the owner in its own context, the chain of escalation above it, and agents of a pipeline that has
 * no owner. Where the owner reports to an agent, that agent counts as the one that started the owner, so the owner's children have depth 2.
 * An agent at the depth of the pipeline's limit is a leaf.
 */

/** Of an agent or review step; a critic is asked as a reviewer is. */
export function stepDepth(plan: Tree, { action }: Pick<AgentStep | ReviewStep, 'action'>, isCritic: boolean): number {
  if (plan.owner === undefined || (action === 'self' && !isCritic)) return 0;
  return childDepth(plan, { agent: plan.owner, depth: 0 });
}

/** Of whom an agent starts. */
export function childDepth(plan: Tree, { agent, depth }: { agent: string; depth: number }): number {
  const isStarted = depth === 0 && agent === plan.owner && superiorOf(plan, agent) !== undefined;
  return depth + (isStarted ? 2 : 1);
}

type Tree = Pick<Plan, 'owner' | 'agents'>;

function superiorOf({ agents = {} }: Tree, agent: string): string | undefined {
  const above = Object.hasOwn(agents, agent) ? agents[agent]?.reportsTo : undefined;
  return above !== undefined && Object.hasOwn(agents, above) ? above : undefined;
}
