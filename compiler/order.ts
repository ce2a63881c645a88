import type { Report, Spot } from './diagnostics/diagnostic';
import { didYouMean } from './diagnostics/suggest';
import type { StepSource } from './shape/source';

/**
 * In what order steps run (language.md §2). Invariants: 1. `after` names steps that exist, each once; 2. where a step names
 * one that does not exist, everything counts as upstream of it, so that one mistake is not reported twice.
 */
export interface Order {
  kind: 'sequence' | 'graph';
  /** What must be settled before the step: in a sequence the step before. */
  before(id: string): readonly string[];
  isUpstream(candidate: string, of: string): boolean;
  position(id: string): number;
}

export function orderOf(steps: readonly StepSource[], report: Report): Order {
  const position = new Map<string, number>();
  steps.forEach((step, i) => {
    if (!position.has(step.id)) position.set(step.id, i);
  });
  const indexOf = (id: string): number => position.get(id) ?? steps.length;
  if (!steps.some((step) => step.after)) {
    return {
      kind: 'sequence',
      before: (id) => [steps[indexOf(id) - 1]?.id ?? ''].filter((found) => found !== ''),
      isUpstream: (candidate, of) => indexOf(candidate) < indexOf(of),
      position: indexOf,
    };
  }
  const after = new Map<string, string[]>();
  const loose = new Set<string>();
  for (const step of steps) {
    const known = (step.after ?? []).filter(({ value, at }) => {
      if (position.has(value)) return true;
      loose.add(step.id);
      report(
        'order.unknown-step',
        at,
        `step "${step.id}" depends on "${value}", which does not exist`,
        didYouMean(value, position.keys(), 'known are the ids of this file'),
      );
      return false;
    });
    after.set(step.id, [...new Set([...(after.get(step.id) ?? []), ...known.map(({ value }) => value)])]);
  }
  const before = (id: string): readonly string[] => after.get(id) ?? [];
  reportCycles(steps, before, report);
  return { kind: 'graph', before, isUpstream: upstreamOf(before, loose), position: indexOf };
}

function upstreamOf(before: (id: string) => readonly string[], loose: ReadonlySet<string>): Order['isUpstream'] {
  const known = new Map<string, ReadonlySet<string> | 'everything'>();
  const reach = (of: string): ReadonlySet<string> | 'everything' => {
    const found = new Set<string>();
    const queue = [of];
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (loose.has(id)) return 'everything';
      for (const next of before(id)) {
        if (found.has(next)) continue;
        found.add(next);
        queue.push(next);
      }
    }
    return found;
  };
  return (candidate, of) => {
    if (before(of).includes(candidate)) return true;
    const answer = known.get(of) ?? reach(of);
    known.set(of, answer);
    return answer === 'everything' || answer.has(candidate);
  };
}

/** Reports each circle of dependencies once, beginning with its first step in the file. */
function reportCycles(steps: readonly StepSource[], before: (id: string) => readonly string[], report: Report): void {
  const waiting = new Map(steps.map((step) => [step.id, new Set(before(step.id))]));
  const dependents = new Map<string, string[]>();
  for (const [id, needs] of waiting) for (const need of needs) dependents.set(need, [...(dependents.get(need) ?? []), id]);
  const ready = [...waiting].filter(([, needs]) => needs.size === 0).map(([id]) => id);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    waiting.delete(id);
    for (const dependent of dependents.get(id) ?? []) {
      const needs = waiting.get(dependent);
      needs?.delete(id);
      if (needs?.size === 0) ready.push(dependent);
    }
  }
  const seen = new Set<string>();
  for (const step of steps) {
    const path: string[] = [];
    let id: string | undefined = waiting.has(step.id) ? step.id : undefined;
    while (id !== undefined && !seen.has(id)) {
      seen.add(id);
      path.push(id);
      id = before(id).find((next) => waiting.has(next));
    }
    const from = id === undefined ? -1 : path.indexOf(id);
    if (from >= 0) reportCycle(path.slice(from), steps, report);
  }
}

function reportCycle(circle: string[], steps: readonly StepSource[], report: Report): void {
  const members = new Set(circle);
  const first = steps.find((step) => members.has(step.id));
  if (!first) return;
  const start = circle.indexOf(first.id);
  const turned = [...circle.slice(start), ...circle.slice(0, start), first.id];
  const at: Spot = first.after?.find(({ value }) => value === turned[1])?.at ?? first.at;
  report('order.cycle', at, `steps depend on each other: ${turned.join(' → ')}`, 'take one of the dependencies away');
}
