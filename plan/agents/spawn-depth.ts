import type { Plan } from '../plan';
import type { AgentStep, ReviewStep } from '../steps/step';

/**
 * How deep an agent is: an independent agent has depth 0, its child 1, a child of that one 2. Owners are independent, and so are agents of
 * their chain of escalation that report to no agent, and agents of a pipeline without an owner. An agent that reports to another was
 * started by it and has depth 1; so the children of such an owner have depth 2. An agent at the depth of the pipeline's limit is a leaf.
 */

/** Nesting (docs/protocol.md, 4.2). */
const MOST_DEPTH = 5;

/** The depth of an agent in its own context: the owner, or one of the chain above it. */
export function ownDepth(plan: Tree, agent: string): number {
  return plan.owner === undefined || agentAbove(plan, agent) === undefined ? 0 : 1;
}

/** The depth of an agent or review step; a critic counts like a reviewer. */
export function stepDepth(plan: Tree, { action }: Pick<AgentStep | ReviewStep, 'action'>, isCritic: boolean): number {
  if (plan.owner === undefined) return 0;
  const owner = ownDepth(plan, plan.owner);
  return action === 'self' && !isCritic ? owner : childDepth(owner);
}

/** The depth of the agents that an agent starts. */
export function childDepth(depth: number): number {
  return depth + 1;
}

/** The depth whose agents are leaves. By default the owner has children, and they have none. */
export function depthLimit(plan: Tree & Pick<Plan, 'depth'>): number {
  return Math.min(plan.depth ?? childDepth(plan.owner === undefined ? 0 : ownDepth(plan, plan.owner)), MOST_DEPTH);
}

/** The chain of an agent's superiors, as far as they are agents of the plan. */
export function agentsAbove(plan: Tree, agent: string): string[] {
  const above: string[] = [];
  for (let next = agentAbove(plan, agent); next !== undefined && !above.includes(next); next = agentAbove(plan, next)) above.push(next);
  return above;
}

type Tree = Pick<Plan, 'owner' | 'agents'>;

function agentAbove({ agents = {} }: Tree, agent: string): string | undefined {
  const above = Object.hasOwn(agents, agent) ? agents[agent]?.reportsTo : undefined;
  return above !== undefined && Object.hasOwn(agents, above) ? above : undefined;
}
