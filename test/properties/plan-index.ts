import type { Plan } from '../../plan/plan';
import { type Address, formatPath } from '../../plan/steps/address';
import { dependencies } from '../../plan/steps/order';
import type { Block, Step } from '../../plan/steps/step';
import { hasParts } from '../../plan/steps/walk';

/** An index of the steps of a plan: their places, and the steps in the same block on which they depend. */
export interface PlanIndex {
  step(id: string): Step | undefined;
  /** The steps that must be settled before a step: not the producer of a loop over a stream, and none if an action calls the step. */
  needs(id: string): readonly string[];
  /** Whether a step is a part of another. */
  isPart(id: string): boolean;
  /** The coordinate step around a step, if there is one. */
  coordinatorOf(id: string): string | undefined;
}

const known = new WeakMap<Plan, PlanIndex>();

export function indexPlan(plan: Plan): PlanIndex {
  const index = known.get(plan) ?? makeIndex(plan);
  known.set(plan, index);
  return index;
}

function makeIndex(plan: Plan): PlanIndex {
  const parts = new Set<string>();
  const steps = new Map<string, Step>();
  const needs = new Map<string, readonly string[]>();
  const coordinated = new Map<string, string>();
  const visit = (block: Block, coordinator?: string): void => {
    for (const [id, list] of dependencies(block)) needs.set(id, list);
    for (const step of block.steps) {
      steps.set(step.id, step);
      if (coordinator !== undefined) coordinated.set(step.id, coordinator);
      const waitsFor = (id: string): boolean => !step.onCall && !('stream' in step && step.stream === id);
      needs.set(step.id, (needs.get(step.id) ?? []).filter(waitsFor));
      if (hasParts<Step>(step)) {
        for (const part of step.parts) {
          steps.set(part.id, part);
          parts.add(part.id);
          if (coordinator !== undefined) coordinated.set(part.id, coordinator);
        }
      }
      if ('branches' in step) visit({ order: 'graph', steps: step.branches }, coordinator);
      else if ('block' in step) visit(step.block, step.kind === 'coordinate' ? step.id : coordinator);
    }
  };
  visit(plan.block);
  if (plan.finally) visit(plan.finally);
  return {
    step: (id) => steps.get(id),
    needs: (id) => needs.get(id) ?? [],
    isPart: (id) => parts.has(id),
    coordinatorOf: (id) => coordinated.get(id),
  };
}

/** The path of another step of the same block. */
export function beside({ path }: Address, id: string): string {
  const { index: _index, ...last } = path.at(-1) ?? { id };
  return formatPath([...path.slice(0, -1), { ...last, id }]);
}
