import { holdsBlock } from '../../kinds/questions';
import type { ControlBlock, ControlPlan, ControlStep } from './control';
import { orderOf } from './order';
import { runsInTurns, stepsWithin } from './walk';

/**
 * The steps that are settled before a step begins, nearest first: what it depends on, directly or through others, in its own block and in
 * each block around it, with the steps within those. Of a loop that the step is not in only the loop itself: its iterations have no one
 * output, nor have parts that run in turns. Branches of a `parallel` are not upstream of each other; a step of `finally` comes after all others. Empty where there is no such step.
 *
 * The plan is gone over once, and a block once when it is first asked about: of the nearest few steps the last of ten thousand costs what the first does.
 */
export function upstreamOf(plan: Pick<ControlPlan, 'block' | 'finally'>): (id: string) => Generator<ControlStep> {
  const positions = new Map<string, StepInBlock>();
  layOut(plan.block, undefined, positions);
  if (plan.finally) layOut(plan.finally, undefined, positions);

  return function* upstream(id) {
    let last: StepInBlock | undefined;
    for (let at = positions.get(id); at; at = at.outer) {
      yield* before(at.block, at.step);
      last = at;
    }
    if (!last || last.block !== plan.finally) return;
    for (const step of plan.block.steps.toReversed()) yield* withSteps(step);
  };
}

/** A step in its block, and what holds that. */
interface StepInBlock {
  block: ControlBlock;
  step: ControlStep;
  outer: StepInBlock | undefined;
}

function layOut(block: ControlBlock, outer: StepInBlock | undefined, into: Map<string, StepInBlock>): void {
  for (const step of block.steps) {
    const position: StepInBlock = { block, step, outer };
    // Of two of a name the first counts.
    if (!into.has(step.id)) into.set(step.id, position);
    if (stepsWithin<ControlStep>(step).length > 0) layOut(blockWithin(step), position, into);
  }
}

function blockWithin(step: ControlStep): ControlBlock {
  return holdsBlock(step) ? step.block : { order: 'graph', steps: [...stepsWithin<ControlStep>(step)] };
}

function* before(block: ControlBlock, step: ControlStep): Generator<ControlStep> {
  const { needs, position } = orderOf(block);
  const seen = new Set<string>();
  let ring = needs.get(step.id) ?? [];
  while (ring.length > 0) {
    const next: string[] = [];
    for (const id of ring) {
      const found = block.steps[position(id)];
      if (!found || seen.has(id)) continue;
      seen.add(id);
      yield* withSteps(found);
      for (const needed of needs.get(id) ?? []) next.push(needed);
    }
    ring = next;
  }
}

function* withSteps(step: ControlStep): Generator<ControlStep> {
  yield step;
  if (!runsInTurns<ControlStep>(step)) for (const inner of stepsWithin<ControlStep>(step).toReversed()) yield* withSteps(inner);
}
