/**
 * How many steps are in flight at once, over all blocks of a run. A place that gives its slot away while it waits for a person
 * lets others go first, and takes one again, over the limit if need be, when it goes on.
 */
export interface Slots {
  take(path: string): void;
  give(path: string): void;
  readonly free: boolean;
}

export function createSlots(limit: number): Slots {
  const taken = new Set<string>();
  return {
    take: (path) => taken.add(path),
    give: (path) => taken.delete(path),
    get free() {
      return taken.size < limit;
    },
  };
}
