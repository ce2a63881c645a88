/**
 * The pending steps of a block: for how many others each still waits, and which may start. A change costs a search of those that
 * may start; the first of them is found at once.
 */
export interface PendingSteps {
  has(id: string): boolean;
  /** For how many others one waits; undefined: it is not pending. */
  missing(id: string): number | undefined;
  /** Sets it; at 0 the step may start, and undefined takes it out. */
  expect(id: string, missing: number | undefined): void;
  /** Adds one that comes before all others in the plan's order, without a search. */
  addFirst(id: string, missing: number): void;
  /** Positions of those that may start, the first of them last: an array is shortened there at no cost. */
  readonly ready: readonly number[];
}

export function createPendingSteps(position: (id: string) => number): PendingSteps {
  const waiting = new Map<string, number>();
  const ready: number[] = [];

  /** The index of a position among the ready ones, or where it would be. */
  function whereReady(at: number): number {
    let [from, to] = [0, ready.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((ready[middle] ?? 0) > at) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  return {
    ready,
    has: (id) => waiting.has(id),
    missing: (id) => waiting.get(id),
    expect(id, missing) {
      const wasReady = waiting.get(id) === 0;
      if (missing === undefined) waiting.delete(id);
      else waiting.set(id, missing);
      if (wasReady === (missing === 0)) return;
      const at = position(id);
      const found = whereReady(at);
      if (missing === 0) ready.splice(found, 0, at);
      else if (ready[found] === at) ready.splice(found, 1);
    },
    addFirst(id, missing) {
      waiting.set(id, missing);
      if (missing === 0) ready.push(position(id));
    },
  };
}
