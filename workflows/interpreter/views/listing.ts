import { holdsBlock, holdsBranches, iterates } from '../../../kinds/questions';
import type { ControlBlock, ControlStep } from '../../../plan/steps/control';
import { orderOf } from '../../../plan/steps/order';
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
 * The steps of a run in the plan's order, inner steps after their container: every branch, the current iterations of a loop, and parts that
 * have begun, by turn. The inner steps of a container to which nothing has happened are left out.
 *
 * Invariant: skipping and counting cost a look at each container that has begun, and none at other steps.
 *
 * @param from how many are skipped
 */
export function* listSteps(run: Run, from = 0): Generator<Listed> {
  const rest = { skip: from };
  yield* listRow(run, topRow(run.plan.block), rest);
  yield* listFinally(run, rest);
}

export function* listFinally(run: Run, rest = { skip: 0 }): Generator<Listed> {
  if (run.plan.finally) yield* listRow(run, topRow(run.plan.finally), rest);
}

/** How many steps are listed. */
export function countSteps(run: Run): number {
  return countRow(run, topRow(run.plan.block)) + (run.plan.finally ? countRow(run, topRow(run.plan.finally)) : 0);
}

/** Steps that are listed one after the other. */
interface Row {
  steps: readonly ControlStep[];
  /** Positions of those with others within. */
  holders: readonly number[];
  pathOf(step: ControlStep, at: number): string;
}

function topRow(block: ControlBlock): Row {
  return { steps: block.steps, holders: orderOf(block).holders, pathOf: ({ id }) => id };
}

function blockRow(block: ControlBlock, container: string, iteration: number | undefined): Row {
  return { steps: block.steps, holders: orderOf(block).holders, pathOf: ({ id }) => pathWithin(container, iteration, id) };
}

function smallRow(steps: readonly ControlStep[], pathOf: Row['pathOf']): Row {
  return { steps, holders: [...steps.keys()], pathOf };
}

/** Rows listed after a step because they are within it. */
function rowsWithin(run: Run, step: ControlStep, path: string): Row[] {
  const record = run.state.records[path];
  if (!record) return [];
  if (holdsBranches(step)) return [smallRow(step.branches, ({ id }, at) => pathWithin(path, at, id))];
  if (iterates(step)) return (iterationsOf(record)?.live ?? []).map((i) => blockRow(step.block, path, i));
  if (holdsBlock(step)) return [blockRow(step.block, path, undefined)];
  if (!hasParts<ControlStep>(step)) return [];
  return turnsOf(run, path).map((turn) => {
    const begun = step.parts.filter(({ id }) => run.state.records[pathWithin(path, turn, id)]);
    return smallRow(begun, ({ id }) => pathWithin(path, turn, id));
  });
}

function countRow(run: Run, row: Row): number {
  let count = row.steps.length;
  for (const at of row.holders) {
    const step = row.steps[at];
    if (step) for (const inner of rowsWithin(run, step, row.pathOf(step, at))) count += countRow(run, inner);
  }
  return count;
}

function* listRow(run: Run, row: Row, rest: { skip: number }): Generator<Listed> {
  let from = 0;
  for (const holder of row.holders) {
    yield* listStretch(row, from, holder + 1, rest);
    from = holder + 1;
    const step = row.steps[holder];
    if (!step) continue;
    for (const inner of rowsWithin(run, step, row.pathOf(step, holder))) {
      const count = rest.skip > 0 ? countRow(run, inner) : 0;
      if (rest.skip > 0 && rest.skip >= count) rest.skip -= count;
      else yield* listRow(run, inner, rest);
    }
  }
  yield* listStretch(row, from, row.steps.length, rest);
}

/** Steps of a row, up to a position. */
function* listStretch({ steps, pathOf }: Row, from: number, to: number, rest: { skip: number }): Generator<Listed> {
  const skipped = Math.min(rest.skip, to - from);
  rest.skip -= skipped;
  for (let at = from + skipped; at < to; at += 1) {
    const step = steps[at];
    if (step) yield { path: pathOf(step, at), step };
  }
}
