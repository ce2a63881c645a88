/**
 * Answers "is a above b" in a graph of dependencies, without keeping a set for each step: a file of ten thousand steps must compile in
 * linear time. A spanning forest answers for chains and trees at once; anything else is found by searching upwards, no further than the
 * level of the step that is looked for.
 *
 * Invariants: 1. the searched graph has no circles: a step in or behind one counts as below everything;
 * 2. a query leaves nothing behind but marks in one array.
 */
export class ReachableSteps {
  private readonly level: Int32Array;
  /** Steps that everything counts as above. */
  private readonly open: Uint8Array;
  private readonly settled: Uint8Array;
  private readonly enter: Int32Array;
  private readonly leave: Int32Array;
  private readonly mark: Int32Array;
  private query = 0;

  constructor(
    private readonly after: readonly (readonly number[])[],
    loose: ReadonlySet<number>,
  ) {
    const count = after.length;
    this.level = new Int32Array(count);
    this.open = new Uint8Array(count);
    this.settled = new Uint8Array(count);
    this.enter = new Int32Array(count);
    this.leave = new Int32Array(count);
    this.mark = new Int32Array(count);
    for (const index of loose) this.open[index] = 1;
    const parents = this.sort();
    this.number(parents);
  }

  /** Whether the step can begin at all: false in a circle and behind one. */
  isSettled(index: number): boolean {
    return this.settled[index] === 1;
  }

  isAbove(candidate: number, of: number): boolean {
    if (this.open[of] === 1) return true;
    if (candidate === of || !this.isSettled(candidate)) return false;
    if (this.inTree(candidate, of)) return true;
    this.query++;
    const queue = [of];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      for (const above of this.after[at] ?? []) {
        if (above === candidate || this.inTree(candidate, above)) return true;
        if (this.mark[above] === this.query || (this.level[above] ?? 0) <= (this.level[candidate] ?? 0)) continue;
        this.mark[above] = this.query;
        queue.push(above);
      }
    }
    return false;
  }

  /** Goes through the steps from the top, and gives each one's parent in the forest: the deepest step it depends on. */
  private sort(): Int32Array {
    const { after, level, open, settled } = this;
    const waits = after.map((above) => above.length);
    const below: number[][] = after.map(() => []);
    after.forEach((above, index) => {
      for (const one of above) below[one]?.push(index);
    });
    const parents = new Int32Array(after.length).fill(-1);
    const queue = after.flatMap((above, index) => (above.length === 0 ? [index] : []));
    for (let i = 0; i < queue.length; i++) {
      const index = queue[i] ?? 0;
      settled[index] = 1;
      for (const above of after[index] ?? []) {
        if (open[above] === 1) open[index] = 1;
        if ((level[above] ?? 0) < (level[index] ?? 0)) continue;
        level[index] = (level[above] ?? 0) + 1;
        parents[index] = above;
      }
      for (const dependent of below[index] ?? []) {
        const left = (waits[dependent] ?? 0) - 1;
        waits[dependent] = left;
        if (left === 0) queue.push(dependent);
      }
    }
    settled.forEach((done, index) => {
      if (done === 0) open[index] = 1;
    });
    return parents;
  }

  private number(parents: Int32Array): void {
    const children: number[][] = this.after.map(() => []);
    const roots: number[] = [];
    parents.forEach((parent, index) => {
      if (parent < 0) roots.push(index);
      else children[parent]?.push(index);
    });
    let clock = 0;
    const stack: { index: number; next: number }[] = [];
    for (const root of roots) {
      stack.push({ index: root, next: 0 });
      this.enter[root] = clock++;
      for (let top = stack[stack.length - 1]; top; top = stack[stack.length - 1]) {
        const child = children[top.index]?.[top.next++];
        if (child === undefined) {
          this.leave[top.index] = clock++;
          stack.pop();
        } else {
          this.enter[child] = clock++;
          stack.push({ index: child, next: 0 });
        }
      }
    }
  }

  private inTree(candidate: number, of: number): boolean {
    return (this.enter[candidate] ?? 0) < (this.enter[of] ?? 0) && (this.leave[of] ?? 0) < (this.leave[candidate] ?? 0);
  }
}
