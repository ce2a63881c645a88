import { iterates } from '../../kinds/questions';
import { traitsOf } from '../../kinds/traits';
import type { Plan } from '../plan';
import type { Address } from './address';
import type { Step, StepKind } from './step';

/** The inner steps of a step, in a plan or in the part of it that controls. */
interface Nested<S> {
  kind: StepKind;
  id: string;
  branches?: S[];
  block?: { steps: S[] };
  /** Steps that it runs itself, in turns. */
  parts?: S[];
}

/** The steps directly within a step: branches, the steps of its block, or its parts. */
export function stepsWithin<S extends Nested<S>>(step: S): readonly S[] {
  return step.branches ?? step.block?.steps ?? step.parts ?? [];
}

/** The steps within a step as people see them: for a pattern only what its author wrote, unless its parts are asked for. */
export function shownWithin<S extends Nested<S>>(step: S, expanded: boolean): readonly S[] {
  return expanded || !traitsOf(step.kind).pattern ? stepsWithin(step) : [];
}

/** Whether a step runs some that the plan has beneath it. */
export function hasParts<S extends Nested<S>>(step: S): step is S & { parts: S[] } {
  return step.parts !== undefined;
}

/** Whether its inner steps run in turns, which addresses name: `loop[3]/step`, `decide[1]/part`. */
export function runsInTurns<S extends Nested<S>>(step: S): boolean {
  return iterates(step) || hasParts(step);
}

/** The iteration of each loop, and the turn of each step with parts, that contains an address; from the outside in. */
export function turnsIn({ path }: Pick<Address, 'path'>, steps: ReadonlyMap<string, Step>): number[] {
  return path.flatMap(({ id, index }) => {
    const step = steps.get(id);
    return index !== undefined && step && runsInTurns<Step>(step) ? [index] : [];
  });
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
