import { asksAgent, runsChild } from '../../kinds/questions';
import type { AdapterWish } from '../../plan/agents/adapter-choice';
import { defined, ifDefined } from '../../plan/defined';
import type { AgentDefinition, Plan } from '../../plan/plan';
import { stepsOfPlan } from '../../plan/steps/walk';
import { parseJson } from '../../plan/text/json-text';
import { planFromText } from '../pipelines/child-plans';

/** An agent that a run may ask, with its definition's wishes. */
export interface AskedAgent extends AdapterWish {
  agent: string;
  tools?: readonly string[];
}

/**
 * Every agent that a run of a plan may ask, its child pipelines' among them, once each. If any step has an agent, that agent may call any
 * other of the plan, and its failures go up the chain of escalation; otherwise only an escalation of a command could ask one, and that is
 * not counted.
 */
export async function agentsOf(plan: Plan, blob: (sha256: string) => Promise<string | undefined>): Promise<AskedAgent[]> {
  const steps = stepsOfPlan(plan);
  const asks = steps.some(asksAgent);
  const own = asks ? Object.entries(plan.agents ?? {}) : [];
  const found = await Promise.all(own.map(async ([agent, { definition }]) => ({ agent, ...wantedBy(await blob(definition)) })));
  for (const step of steps) {
    const child = runsChild(step) ? planFromText(await blob(step.plan)) : undefined;
    if (child !== undefined) found.push(...(await agentsOf(child, blob)));
  }
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

function wantedBy(definition: string | undefined): Omit<AskedAgent, 'agent'> {
  const { adapter, model, tools } = ifDefined(definition, parseJson<AgentDefinition>) ?? {};
  return defined({ adapter, model, tools });
}
