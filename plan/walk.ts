import type { Plan } from './plan';
import type { Step, StepKind } from './step';

/** What a step of a plan, or of the part of it that controls, holds within itself. */
interface Nested<S> {
  kind: StepKind;
  id: string;
  branches?: S[];
  block?: { steps: S[] };
}

/** The steps directly within a step: branches, or the steps of its block. */
export function stepsWithin<S extends Nested<S>>(step: S): readonly S[] {
  return step.branches ?? step.block?.steps ?? [];
}

/** Every step of a list and of whatever is within, outer before inner, in the plan's order. */
export function* everyStep<S extends Nested<S>>(steps: readonly S[]): Generator<S> {
  for (const step of steps) {
    yield step;
    yield* everyStep(stepsWithin(step));
  }
}

/** Every step of a plan, those of `finally` last. */
export function stepsOfPlan({ block, finally: last }: Pick<Plan, 'block' | 'finally'>): Step[] {
  return [...everyStep(block.steps), ...everyStep(last?.steps ?? [])];
}
