import { holdsBlock, holdsBranches, iterates } from '../../../kinds/questions';
import type { ControlBlock, ControlStep } from '../../../plan/steps/control';
import { hasParts } from '../../../plan/steps/walk';
import type { Run } from '../run';
import { pathWithin } from '../scheduling/place';
import { iterationsOf } from '../state/iterations';
import { turnsOf } from '../state/turns';

/** A step as lists show it. */
export interface Listed {
  path: string;
  step: ControlStep;
}

/**
 * The steps of a run in the plan's order, what is within a step after it: every branch, of a loop the iterations under way, and parts that
 * have begun, by turn.
 * What is within a container that nothing has happened to is left out.
 */
export function* listSteps(run: Run): Generator<Listed> {
  yield* listBlock(run, run.plan.block, undefined, undefined);
  yield* listFinally(run);
}

export function* listFinally(run: Run): Generator<Listed> {
  if (run.plan.finally) yield* listBlock(run, run.plan.finally, undefined, undefined);
}

function* listBlock(run: Run, block: ControlBlock, container: string | undefined, iteration: number | undefined): Generator<Listed> {
  for (const step of block.steps) yield* listStep(run, step, container === undefined ? step.id : pathWithin(container, iteration, step.id));
}

function* listStep(run: Run, step: ControlStep, path: string): Generator<Listed> {
  yield { path, step };
  const record = run.state.records[path];
  if (!record) return;
  if (holdsBranches(step)) {
    for (const [i, branch] of step.branches.entries()) yield* listStep(run, branch, pathWithin(path, i, branch.id));
  } else if (iterates(step)) {
    for (const i of iterationsOf(record)?.live ?? []) yield* listBlock(run, step.block, path, i);
  } else if (holdsBlock(step)) {
    yield* listBlock(run, step.block, path, undefined);
  } else if (hasParts<ControlStep>(step)) {
    for (const turn of turnsOf(run.state, path)) {
      const begun = step.parts.filter(({ id }) => run.state.records[pathWithin(path, turn, id)]);
      yield* listBlock(run, { order: 'graph', steps: begun }, path, turn);
    }
  }
}
