import type { ArtifactStore } from '../activities/ports';
import { ThermidorFailure } from '../plan/failure';
import { isJsonObject } from '../plan/json';
import { IR_VERSION, type Plan } from '../plan/plan';
import type { Step } from '../plan/step';
import { everyStep } from '../plan/walk';

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

export interface AskedAgent {
  agent: string;
  adapter?: string;
  model?: string;
}

/** Every agent that a plan asks, wherever in it, its child pipelines' among them, with the adapter and the model it names. */
export function agentsOf(plan: Plan, blob: (sha256: string) => string | undefined): AskedAgent[] {
  const found: AskedAgent[] = [];
  for (const step of everyStep<Step>([...plan.block.steps, ...(plan.finally?.steps ?? [])])) {
    if (step.kind === 'agent' || step.kind === 'review') {
      for (const agent of step.kind === 'review' && step.critic !== undefined ? [step.agent, step.critic] : [step.agent]) {
        const { adapter, definition } = plan.agents?.[agent] ?? {};
        const model = modelIn(definition === undefined ? undefined : blob(definition));
        found.push({ agent, ...(adapter === undefined ? {} : { adapter }), ...(model === undefined ? {} : { model }) });
      }
    }
    const child = step.kind === 'pipeline' ? planFromText(blob(step.plan)) : undefined;
    if (child !== undefined) found.push(...agentsOf(child, blob));
  }
  return found;
}

function modelIn(definition: string | undefined): string | undefined {
  const written: unknown = definition === undefined ? undefined : JSON.parse(definition);
  const model = isJsonObject(written) ? written['model'] : undefined;
  return typeof model === 'string' ? model : undefined;
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
