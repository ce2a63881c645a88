import type { TaskGraph } from '../../kinds/caid/rules/task-graph';

/** Units in an order that keeps their dependencies; shorter than the graph if that has a cycle. */
export function mergeOrder({ units }: Pick<TaskGraph, 'units'>): string[] {
  const order: string[] = [];
  for (;;) {
    const next = units.find(({ id, depends_on }) => !order.includes(id) && depends_on.every((one) => order.includes(one)));
    if (next === undefined) return order;
    order.push(next.id);
  }
}
