import { runsChild } from '../../kinds/questions';
import { IR_VERSION, type Plan } from '../../plan/plan';
import type { ControlRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { stepsOfPlan } from '../../plan/steps/walk';
import { isJsonObject } from '../../plan/text/json';
import { parseJson } from '../../plan/text/json-text';
import type { ArtifactStore } from '../../records/artifact-store';
import type { Records } from '../../records/records';

/** Plans of child pipelines: blobs of the plan that names them. */

/** Parses a frozen plan; undefined if the text is not of this version. */
export function planFromText(text: string | undefined): Plan | undefined {
  if (text === undefined) return undefined;
  const value: unknown = parseJson(text);
  return isPlan(value) ? value : undefined;
}

/** Every queue that a step names, wherever in a plan, its child pipelines' among them. */
export function queuesIn(plan: Plan, blob: (sha256: string) => string | undefined): Set<string> {
  const found = new Set<string>();
  for (const step of stepsOfPlan(plan)) {
    if (step.queue !== undefined) found.add(step.queue);
    const child = runsChild(step) ? planFromText(blob(step.plan)) : undefined;
    for (const queue of child === undefined ? [] : queuesIn(child, blob)) found.add(queue);
  }
  return found;
}

/** The plan of a child pipeline; undefined if the store does not have it, like another host's. */
export async function storedPlan(store: ArtifactStore, sha256: string): Promise<Plan | undefined> {
  return planFromText(await textIfThere(() => store.get({ sha256 })));
}

/** The text of the plan that a run says it has; undefined as above. */
export async function runPlanText(stores: Records, ref: ControlRef<'plan'>): Promise<string | undefined> {
  return await textIfThere(() => stores.control.get(ref));
}

async function textIfThere(get: () => Promise<Buffer>): Promise<string | undefined> {
  try {
    return (await get()).toString('utf8');
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return undefined;
    throw error;
  }
}

/** Plans are written by the compiler alone, under the digest of their bytes: the version says the rest. */
function isPlan(value: unknown): value is Plan {
  return isJsonObject(value) && value['irVersion'] === IR_VERSION && isJsonObject(value['block']) && Array.isArray(value['block']['steps']);
}
