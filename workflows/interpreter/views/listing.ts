import { holdsBlock, holdsBranches, iterates } from '../../../kinds/questions';
import type { ControlBlock, ControlStep } from '../../../plan/control';
import { hasParts, stepsWithin } from '../../../plan/walk';
import { pathWithin } from '../place';
import type { Run } from '../run';
import { loopOf } from '../state/kept';

/** A step as lists show it. */
export interface Listed {
  path: string;
  step: ControlStep;
}

/**
 * The steps of a run in the plan's order, what is within a step after it: every branch, and of a loop the iterations in progress.
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
    for (const i of loopOf(record)?.live ?? []) yield* listBlock(run, step.block, path, i);
  } else if (holdsBlock(step)) {
    yield* listBlock(run, step.block, path, undefined);
  } else {
    for (const turn of turnsOf(run, path, step)) {
      const begun = stepsWithin<ControlStep>(step).filter(({ id }) => run.state.records[pathWithin(path, turn, id)]);
      yield* listBlock(run, { order: 'graph', steps: begun }, path, turn);
    }
  }
}

/** Turns of a step with parts that have left records, the first first. */
function turnsOf({ state }: Run, path: string, step: ControlStep): number[] {
  if (!hasParts(step)) return [];
  const turns = Object.keys(state.records).flatMap((other) =>
    other.startsWith(`${path}[`) ? [Number.parseInt(other.slice(path.length + 1), 10)] : [],
  );
  return [...new Set(turns)].sort((a, b) => a - b);
}
