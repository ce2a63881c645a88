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
  const seen = new Set<number>();
  for (let first = 0; first < steps.length; first++) {
    const path: number[] = [];
    let at: number | undefined = reachable.isSettled(first) ? undefined : first;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      path.push(at);
      at = after[at]?.find((next) => !reachable.isSettled(next));
    }
    const from = at === undefined ? -1 : path.indexOf(at);
    if (from >= 0) reportCycle(path.slice(from), steps, report);
  }
}

function reportCycle(circle: readonly number[], steps: readonly StepSource[], report: Report): void {
  const start = circle.reduce((best, index, i) => (index < (circle[best] ?? index) ? i : best), 0);
  const turned = [...circle.slice(start), ...circle.slice(0, start)];
  const first = steps[turned[0] ?? 0];
  if (!first) return;
  const ids = [...turned, turned[0] ?? 0].map((index) => steps[index]?.id ?? '');
  const at: SourceSpan = first.dependsOn?.find(({ value }) => value === ids[1])?.at ?? first.at;
  report('order.cycle', at, `steps depend on each other: ${ids.join(' → ')}`, 'remove one of the dependencies');
}
