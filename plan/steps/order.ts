import type { ControlBlock, ControlStep } from './control';

/** Steps whose completion each step waits for, by id, in either order. */
export function dependencies(block: ControlBlock): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  block.steps.forEach((step, i) => {
    const before = block.steps[i - 1];
    if (block.order === 'graph') found.set(step.id, step.after ?? []);
    else found.set(step.id, before ? [before.id] : []);
  });
  return found;
}

/**
 * The steps that run again when `review` sends `target` back: those on any way from `target` to `review`, both ends
 * included, in the block's order. Empty where `target` is not upstream of `review`.
 */
export function reviseCone(block: ControlBlock, target: string, review: string): ControlStep[] {
  const needs = dependencies(block);
  const reaches = new Map<string, boolean>();
  const fromTarget = (id: string): boolean => {
    const known = reaches.get(id);
    if (known !== undefined) return known;
    reaches.set(id, id === target);
    const found = id === target || (needs.get(id) ?? []).some(fromTarget);
    reaches.set(id, found);
    return found;
  };
  if (!fromTarget(review)) return [];
  const upstream = new Set<string>([review]);
  const queue = [review];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const before of needs.get(id) ?? []) {
      if (upstream.has(before)) continue;
      upstream.add(before);
      queue.push(before);
    }
  }
  return block.steps.filter((step) => upstream.has(step.id) && fromTarget(step.id));
}
