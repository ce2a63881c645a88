import type { Plan } from '../../plan/plan';
import { type Address, formatPath } from '../../plan/steps/address';
import { dependencies } from '../../plan/steps/order';
import type { Block, Step } from '../../plan/steps/step';

/** Where the steps of a plan stand: what each depends on, in its own block. */
export interface PlanIndex {
  step(id: string): Step | undefined;
  needs(id: string): readonly string[];
}

export function indexPlan(plan: Plan): PlanIndex {
  const steps = new Map<string, Step>();
  const needs = new Map<string, readonly string[]>();
  const visit = (block: Block): void => {
    for (const [id, list] of dependencies(block)) needs.set(id, list);
    for (const step of block.steps) {
      steps.set(step.id, step);
      if (step.kind === 'parallel') visit({ order: 'graph', steps: step.branches });
      else if ('block' in step) visit(step.block);
    }
  };
  visit(plan.block);
  if (plan.finally) visit(plan.finally);
  return { step: (id) => steps.get(id), needs: (id) => needs.get(id) ?? [] };
}

/** The path of another step of the same block. */
export function beside({ path }: Address, id: string): string {
  const { index: _index, ...last } = path.at(-1) ?? { id };
  return formatPath([...path.slice(0, -1), { ...last, id }]);
}
