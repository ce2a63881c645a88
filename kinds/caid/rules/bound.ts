import { bug } from '../../../plan/run/failure';
import type { GraphUnit } from './task-graph';

/** A task, and those that have to be merged before it begins. */
type Unit = Pick<GraphUnit, 'id' | 'depends_on'>;

/** How long one task takes, if nobody is in anybody's way. */
export interface Latency {
  /** The engineer, from the assignment to the candidate, its own tests among it. */
  workMs: number;
  /** The queue: merge, test of the merged tree, advance. One candidate at a time. */
  integrateMs: number;
}

export interface Bound {
  /** When the last task is merged, by greedy list scheduling. */
  finishMs: number;
  /** A bound for every schedule: the longest path, the work shared evenly, and the integration one after the other. */
  leastMs: number;
  /** In the order in which they are merged. */
  tasks: ScheduledTask[];
}

export interface ScheduledTask {
  id: string;
  /** From 0. */
  engineer: number;
  startMs: number;
  submittedMs: number;
  mergedMs: number;
}

/**
 * The wall-clock time that several engineers dispatched without delay can reach: a task is ready when everything that it depends on is
 * merged, an engineer is free when its candidate is submitted, and candidates are integrated in the order in which they come, one by one.
 * Among ready tasks the one with the longest remaining path goes first, then the one that is earlier in the graph. Fails with `internal` if
 * the graph has a circle.
 */
export function bound({ units }: { units: readonly Unit[] }, latencyOf: (id: string) => Latency, engineers: number): Bound {
  const remaining = remainingPaths(units, latencyOf);
  const ordered = [...units].sort((a, b) => (remaining.get(b.id) ?? 0) - (remaining.get(a.id) ?? 0));
  const merged = new Map<string, number>();
  const begun = new Set<string>();
  const working: ScheduledTask[] = [];
  const freeAt = Array.from({ length: engineers }, () => 0);
  let [nowMs, queueFreeMs] = [0, 0];
  for (;;) {
    dispatch();
    const next = Math.min(...freeAt.filter((at) => at > nowMs), ...[...merged.values()].filter((at) => at > nowMs));
    if (next === Number.POSITIVE_INFINITY) break;
    nowMs = next;
  }
  const tasks = working.sort((a, b) => a.mergedMs - b.mergedMs);
  if (tasks.length < units.length) throw bug('the graph has a circle, or a unit that depends on one that does not exist');
  return { finishMs: Math.max(0, ...merged.values()), leastMs: leastOf(units, latencyOf, engineers, remaining), tasks };

  function dispatch(): void {
    for (const [engineer, at] of freeAt.entries()) {
      if (at > nowMs) continue;
      const ready = ordered.find(
        ({ id, depends_on }) => !begun.has(id) && depends_on.every((one) => (merged.get(one) ?? Infinity) <= nowMs),
      );
      if (!ready) break;
      begun.add(ready.id);
      const submittedMs = nowMs + latencyOf(ready.id).workMs;
      working.push({ id: ready.id, engineer, startMs: nowMs, submittedMs, mergedMs: Number.POSITIVE_INFINITY });
      freeAt[engineer] = submittedMs;
    }
    integrate();
  }

  function integrate(): void {
    const waiting = working.filter(({ id }) => !merged.has(id)).sort((a, b) => a.submittedMs - b.submittedMs);
    for (const task of waiting) {
      // Until then another candidate may come before it.
      if (task.submittedMs > nowMs) break;
      task.mergedMs = Math.max(queueFreeMs, task.submittedMs) + latencyOf(task.id).integrateMs;
      queueFreeMs = task.mergedMs;
      merged.set(task.id, task.mergedMs);
    }
  }
}

/** For each task its own time and that of the longest chain of tasks that wait for it. */
function remainingPaths(units: readonly Unit[], latencyOf: (id: string) => Latency): ReadonlyMap<string, number> {
  const paths = new Map<string, number>();
  const pathOf = (id: string, above: readonly string[]): number => {
    if (above.includes(id)) throw bug(`the graph has a circle: ${[...above, id].join(' → ')}`);
    const known = paths.get(id);
    if (known !== undefined) return known;
    const { workMs, integrateMs } = latencyOf(id);
    const after = units.filter(({ depends_on }) => depends_on.includes(id)).map((unit) => pathOf(unit.id, [...above, id]));
    const path = workMs + integrateMs + Math.max(0, ...after);
    paths.set(id, path);
    return path;
  };
  for (const { id } of units) pathOf(id, []);
  return paths;
}

function leastOf(
  units: readonly Unit[],
  latencyOf: (id: string) => Latency,
  engineers: number,
  remaining: ReadonlyMap<string, number>,
): number {
  const latencies = units.map(({ id }) => latencyOf(id));
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  const evenly = sum(latencies.map(({ workMs }) => workMs)) / engineers + Math.min(...latencies.map(({ integrateMs }) => integrateMs));
  const serial = Math.min(...latencies.map(({ workMs }) => workMs)) + sum(latencies.map(({ integrateMs }) => integrateMs));
  return units.length === 0 ? 0 : Math.max(...remaining.values(), evenly, serial);
}
