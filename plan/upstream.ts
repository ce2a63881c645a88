import { holdsBlock } from '../kinds/questions';
import type { ControlBlock, ControlPlan, ControlStep } from './control';
import { dependencies } from './order';
import { runsInTurns, stepsWithin } from './walk';

/**
 * The steps that are settled before a step begins, nearest first: what it depends on, directly or through others, in its own block and in
 * each block around it, with the steps within those. Of a loop that the step is not in only the loop itself: its iterations have no one
 * output, nor have parts that run in turns. Branches of a `parallel` are not upstream of each other; a step of `finally` comes after all others. Empty where there is no such step.
 */
export function* stepsUpstream(plan: Pick<ControlPlan, 'block' | 'finally'>, id: string): Generator<ControlStep> {
  const main = wayTo(plan.block, id);
  const way = main ?? (plan.finally && wayTo(plan.finally, id));
  for (const { block, step } of way?.toReversed() ?? []) yield* before(block, step);
  if (!main && way) for (const step of plan.block.steps.toReversed()) yield* withSteps(step);
}

interface Standing {
  block: ControlBlock;
  step: ControlStep;
}

/** The step and what holds it, from the outside in, each in its block. */
function wayTo(block: ControlBlock, id: string): Standing[] | undefined {
  for (const step of block.steps) {
    if (step.id === id) return [{ block, step }];
    const inner = stepsWithin<ControlStep>(step).length > 0 ? wayTo(blockWithin(step), id) : undefined;
    if (inner) return [{ block, step }, ...inner];
  }
  return undefined;
}

function blockWithin(step: ControlStep): ControlBlock {
  return holdsBlock(step) ? step.block : { order: 'graph', steps: [...stepsWithin<ControlStep>(step)] };
}

function* before(block: ControlBlock, step: ControlStep): Generator<ControlStep> {
  const needs = dependencies(block);
  const byId = new Map(block.steps.map((one) => [one.id, one]));
  const seen = new Set<string>();
  let ring = needs.get(step.id) ?? [];
  while (ring.length > 0) {
    const next: string[] = [];
    for (const id of ring) {
      const found = byId.get(id);
      if (!found || seen.has(id)) continue;
      seen.add(id);
      yield* withSteps(found);
      next.push(...(needs.get(id) ?? []));
    }
    ring = next;
  }
}

function* withSteps(step: ControlStep): Generator<ControlStep> {
  yield step;
  if (!runsInTurns<ControlStep>(step)) for (const inner of stepsWithin<ControlStep>(step).toReversed()) yield* withSteps(inner);
}
