import type { Report, SourceSpan } from './diagnostics/diagnostic';
import { didYouMean } from './diagnostics/suggest';
import { ReachableSteps } from './reachability';
import type { StepSource } from './shape/source';

/**
 * The order in which the steps of one block run. Steps are named by their index in the block. Invariants:
 * 1. `before` names steps of the block, each once; 2. if a step names one that does not exist, or is in a circle, everything counts as
 * upstream of it, so that one mistake is not reported twice.
 */
export interface BlockOrder {
  kind: 'sequence' | 'graph' | 'side-by-side';
  /** The steps that must be settled before this one: in a sequence, the step before it. */
  before(index: number): readonly number[];
  isUpstream(candidate: number, of: number): boolean;
}

/** The order of branches: none waits for another. */
export const SIDE_BY_SIDE: BlockOrder = { kind: 'side-by-side', before: () => [], isUpstream: () => false };

export const IN_SEQUENCE: BlockOrder = {
  kind: 'sequence',
  before: (index) => (index > 0 ? [index - 1] : []),
  isUpstream: (candidate, of) => candidate < of,
};

/** @param exists whether the file has a step with that id anywhere */
export function blockOrder(steps: readonly StepSource[], exists: (id: string) => boolean, report: Report): BlockOrder {
  if (!steps.some((step) => step.dependsOn)) return IN_SEQUENCE;
  const indexes = indexById(steps);
  const loose = new Set<number>();
  const after = steps.map((step, index) => {
    const known = new Set<number>();
    for (const name of step.dependsOn ?? []) {
      const found = indexes.get(name.value);
      if (found !== undefined) {
        known.add(found);
        continue;
      }
      loose.add(index);
      reportNotHere(step, name, indexes, exists, report);
    }
    return [...known];
  });
  const reachable = new ReachableSteps(after, loose);
  reportCycles(steps, after, reachable, report);
  return { kind: 'graph', before: (index) => after[index] ?? [], isUpstream: (candidate, of) => reachable.isAbove(candidate, of) };
}

function indexById(steps: readonly StepSource[]): Map<string, number> {
  const found = new Map<string, number>();
  steps.forEach((step, index) => {
    if (!found.has(step.id)) found.set(step.id, index);
  });
  return found;
}

function reportNotHere(
  step: StepSource,
  { value, at }: { value: string; at: SourceSpan },
  known: ReadonlyMap<string, number>,
  exists: (id: string) => boolean,
  report: Report,
): void {
  if (exists(value)) {
    const hint = 'name steps of its own block; the step around the block waits for the others';
    report('order.other-block', at, `step "${step.id}" depends on "${value}", which is in another block`, hint);
    return;
  }
  const hint = () => didYouMean(value, known.keys(), 'name a step of its own block');
  report('order.unknown-step', at, `step "${step.id}" depends on "${value}", which does not exist`, hint);
}

/** Reports each circle of dependencies once, beginning with its first step in the file. */
function reportCycles(steps: readonly StepSource[], after: readonly number[][], reachable: ReachableSteps, report: Report): void {
  for (const circle of circlesIn(after, reachable)) reportCycle(circle, steps, report);
}

/** The circles of a graph, in which each node names those before it. Each comes once, and begins with the first of its nodes. */
export function circlesIn(after: readonly (readonly number[])[], reachable = new ReachableSteps(after, new Set())): number[][] {
  const circles: number[][] = [];
  const seen = new Set<number>();
  for (let first = 0; first < after.length; first++) {
    const path: number[] = [];
    let at: number | undefined = reachable.isSettled(first) ? undefined : first;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      path.push(at);
      at = after[at]?.find((next) => !reachable.isSettled(next));
    }
    const from = at === undefined ? -1 : path.indexOf(at);
    if (from < 0) continue;
    const circle = path.slice(from);
    const start = circle.indexOf(circle.reduce((least, one) => Math.min(least, one)));
    circles.push([...circle.slice(start), ...circle.slice(0, start)]);
  }
  return circles;
}

function reportCycle(circle: readonly number[], steps: readonly StepSource[], report: Report): void {
  const [start = 0] = circle;
  const first = steps[start];
  if (!first) return;
  const ids = [...circle, start].map((index) => steps[index]?.id ?? '');
  const at: SourceSpan = first.dependsOn?.find(({ value }) => value === ids[1])?.at ?? first.at;
  report('order.cycle', at, `steps depend on each other: ${ids.join(' → ')}`, 'remove one of the dependencies');
}
