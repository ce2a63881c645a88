import { asksAgent, hasRoleTeam, judges } from '../../../kinds/questions';
import { agentsAbove, depthLimit, ownDepth } from '../../../plan/agents/spawn-depth';
import type { LoadedRun } from '../../run/loaded-run';
import type { CallingAgent } from '../tool';

/**
 * The agents that an agent may call. It spawns agents of the pipeline except its superiors: work goes down. It sends to independent ones: a
 * step's agent is its owner's child, no matter who asks. An agent above the owner spawns nobody: only the owner gives out the pipeline's
 * work. No role of a brief calls another one: roles do not do each other's work.
 */
export function callableAgents(run: Pick<LoadedRun, 'plan' | 'steps'>, agent: string, isAbove: boolean): Callable {
  const { plan } = run;
  const roles = rolesOfTeams(run);
  const agents = Object.keys(plan.agents ?? {})
    .filter((id) => id === agent || !roles.has(agent) || !roles.has(id))
    .sort();
  const above = agentsAbove(plan, agent);
  const children = childrenOfOwner(run);
  return {
    maxDepth: depthLimit(plan),
    agents,
    spawns: agents.filter((id) => !above.includes(id)),
    sendsTo: agents.filter((id) => id !== agent && !children.has(id)),
    ...(isAbove && plan.owner !== undefined && plan.owner !== agent ? { below: plan.owner } : {}),
  };
}

type Callable = Pick<CallingAgent, 'maxDepth' | 'agents' | 'spawns' | 'sendsTo' | 'below'>;

function rolesOfTeams({ steps }: Pick<LoadedRun, 'steps'>): Set<string> {
  const parts = [...steps.values()].flatMap((step) => (hasRoleTeam(step) ? step.parts : []));
  return new Set(parts.flatMap((part) => (asksAgent(part) ? [part.agent] : [])));
}

function childrenOfOwner({ plan, steps }: Pick<LoadedRun, 'plan' | 'steps'>): Set<string> {
  const { owner } = plan;
  if (owner === undefined) return new Set();
  const spawned = [...steps.values()].flatMap((step) => {
    if (!asksAgent(step)) return [];
    const critic = judges(step) && step.critic !== undefined ? [step.critic] : [];
    return step.action === 'self' ? critic : [step.agent, ...critic];
  });
  return new Set([...spawned.filter((id) => id !== owner), ...(ownDepth(plan, owner) > 0 ? [owner] : [])]);
}
