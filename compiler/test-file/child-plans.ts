import { runsChild } from '../../kinds/questions';
import type { Plan } from '../../plan/plan';
import { stepsOfPlan } from '../../plan/steps/walk';
import { parseJson } from '../../plan/text/json-text';
import type { Compiled } from '../compile';

/** The plans of all child pipelines, however deep, by their names. */
export function childPlans({ plan, blobs }: Pick<Compiled, 'plan' | 'blobs'>): Map<string, Plan> {
  const found = new Map<string, Plan>();
  const visit = (parent: Plan): void => {
    for (const step of stepsOfPlan(parent)) {
      if (!runsChild(step) || found.has(step.pipeline)) continue;
      const text = blobs.get(step.plan)?.content;
      if (text === undefined) continue;
      const child = parseJson<Plan>(text);
      found.set(step.pipeline, child);
      visit(child);
    }
  };
  visit(plan);
  return found;
}
