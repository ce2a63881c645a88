import { goesOverItems } from '../../../kinds/questions';
import { type Expr, type Path, subexpressions } from '../../../plan/expressions/expression';
import { ITEM_VAR } from '../../../plan/steps/item-names';
import type { ForEachStep, Step } from '../../../plan/steps/step';
import { everyStep } from '../../../plan/steps/walk';
import { collectReads } from '../../lower/references';

/** Records on each step what conditions read of it, and on each loop what they read of its items. */
export function noteReads(steps: readonly Step[]): void {
  const reads = collectReads();
  for (const step of everyStep(steps)) {
    if (step.when) reads.note(step.when, undefined);
    if (goesOverItems(step)) noteItemReads(step);
  }
  for (const step of everyStep(steps)) {
    const { reads: paths, stdout } = reads.of(step.id);
    if (paths.length > 0) step.reads = paths;
    if (stdout) step.readsStdout = true;
  }
}

function noteItemReads(loop: ForEachStep): void {
  const paths = new Map<string, Path>();
  for (const { when } of everyStep(loop.block.steps)) {
    for (const path of when ? itemPaths(when, loop.itemVar ?? ITEM_VAR) : []) paths.set(JSON.stringify(path), path);
  }
  const sorted = [...paths].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path);
  if (sorted.length > 0) loop.itemReads = sorted;
}

function* itemPaths(when: Expr, item: string): Generator<Path> {
  for (const part of subexpressions(when)) if (part.kind === 'variable' && part.name === item) yield part.path;
}
