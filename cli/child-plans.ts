import type { ArtifactStore } from '../activities/ports';
import { ThermidorFailure } from '../plan/failure';
import { isJsonObject } from '../plan/json';
import { IR_VERSION, type Plan } from '../plan/plan';
import type { Step } from '../plan/step';
import { everyStep } from '../plan/walk';
import type { WantedAdapter } from './run-by';

/** Plans of child pipelines: blobs beside the plan that names them. */

/** A frozen plan from its text; undefined where the text is none of this version. */
export function planFromText(text: string | undefined): Plan | undefined {
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  return isPlan(value) ? value : undefined;
}

/** Every queue that a step names, wherever in a plan, its child pipelines' among them. */
export function queuesIn(plan: Plan, blob: (sha256: string) => string | undefined): Set<string> {
  const found = new Set<string>();
  for (const step of everyStep<Step>([...plan.block.steps, ...(plan.finally?.steps ?? [])])) {
    if (step.queue !== undefined) found.add(step.queue);
    const child = step.kind === 'pipeline' ? planFromText(blob(step.plan)) : undefined;
    for (const queue of child === undefined ? [] : queuesIn(child, blob)) found.add(queue);
  }
  return found;
}

/** An agent that a run may ask, with what its definition says of how. */
export interface AskedAgent extends WantedAdapter {
  agent: string;
  tools?: readonly string[];
}

/**
 * Every agent that a run of a plan may ask, its child pipelines' among them, once each. Where a step has an agent, that one may call on any
 * other of the plan, and what goes wrong with it goes up the chain of escalation; where none has, only an escalation of a command could ask
 * one, and that is not counted.
 */
export async function agentsOf(plan: Plan, blob: (sha256: string) => Promise<string | undefined>): Promise<AskedAgent[]> {
  const steps = [...everyStep<Step>([...plan.block.steps, ...(plan.finally?.steps ?? [])])];
  const asks = steps.some(({ kind }) => kind === 'agent' || kind === 'review');
  const own = asks ? Object.entries(plan.agents ?? {}) : [];
  const found = await Promise.all(own.map(async ([agent, { definition }]) => ({ agent, ...wantedBy(await blob(definition)) })));
  for (const step of steps) {
    const child = step.kind === 'pipeline' ? planFromText(await blob(step.plan)) : undefined;
    if (child !== undefined) found.push(...(await agentsOf(child, blob)));
  }
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

function wantedBy(definition: string | undefined): Omit<AskedAgent, 'agent'> {
  const written: unknown = definition === undefined ? undefined : JSON.parse(definition);
  if (!isJsonObject(written)) return {};
  const { adapter, model, tools } = written;
  return {
    ...(typeof adapter === 'string' ? { adapter } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    ...(Array.isArray(tools) ? { tools: tools.filter((tool) => typeof tool === 'string') } : {}),
  };
}

/** A plan in the store, undefined where it is not there: a store that is another host's has no plan to show. */
export async function storedPlan(store: ArtifactStore, sha256: string): Promise<Plan | undefined> {
  try {
    return planFromText((await store.get({ sha256 })).toString('utf8'));
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return undefined;
    throw error;
  }
}

/** Plans are written by the compiler alone, under the digest of their bytes: the version says the rest. */
function isPlan(value: unknown): value is Plan {
  return isJsonObject(value) && value['irVersion'] === IR_VERSION && isJsonObject(value['block']) && Array.isArray(value['block']['steps']);
}
