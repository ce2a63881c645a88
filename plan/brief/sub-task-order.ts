import type { SubTask } from './hand-off';

type Ordered = Pick<SubTask, 'id' | 'order' | 'depends_on'>;

/**
 * Sub-tasks in the order in which they run, one after the other: each behind everything that it depends on; where that leaves a choice, by
 * `order`, and by its place in the plan if it has none. Equal ones keep their places. What waits in a circle is left out.
 */
export function inRunOrder<T extends Ordered>(subTasks: readonly T[]): T[] {
  const left = subTasks.map((task, at) => ({ task, rank: task.order ?? at })).sort((a, b) => a.rank - b.rank);
  const done = new Set<string>();
  const found: T[] = [];
  for (;;) {
    const at = left.findIndex(({ task }) => (task.depends_on ?? []).every((id) => done.has(id)));
    const [next] = at === -1 ? [] : left.splice(at, 1);
    if (!next) return found;
    done.add(next.task.id);
    found.push(next.task);
  }
}

/** Sub-tasks that wait for each other, as the way from the first back to it: `a`, `b`, `a`. Undefined if there is no circle. */
export function circleIn(subTasks: readonly Ordered[]): string[] | undefined {
  const known = new Set(subTasks.map(({ id }) => id));
  const waits = subTasks.map(({ id, depends_on = [] }) => ({ id, depends_on: depends_on.filter((one) => known.has(one)) }));
  const ends = new Set(inRunOrder(waits).map(({ id }) => id));
  const stuck = new Map(waits.filter(({ id }) => !ends.has(id)).map(({ id, depends_on }) => [id, depends_on]));
  const [first] = stuck.keys();
  const way: string[] = [];
  for (let at = first; at !== undefined; at = stuck.get(at)?.find((id) => stuck.has(id))) {
    if (way.includes(at)) return [...way.slice(way.indexOf(at)), at];
    way.push(at);
  }
  return undefined;
}
