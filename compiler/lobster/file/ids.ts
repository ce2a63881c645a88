/**
 * Maps ids of a Lobster file to ids of the plan. Lobster lets an id have any characters, and steps of two loops may share one; a plan's ids
 * are parts of addresses and unique. An id that can be kept is kept.
 */
export interface StepIds {
  /** Whether any step, branch or step of a loop has the id in the file. */
  isKnown(id: string): boolean;
  known(): Iterable<string>;
  /** The plan's id for a step; `own` if it must be unique in the file itself. */
  take(id: string, own: boolean): string;
  /** The plan id's index in the order in which ids were taken. */
  position(planId: string): number;
}

const KEPT = /^[A-Za-z0-9_-]{1,64}$/;
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** @param own ids of steps and branches; @param inner ids of steps in loops */
export function stepIds(own: ReadonlySet<string>, inner: ReadonlySet<string>): StepIds {
  const taken = new Map<string, number>();
  const counts = new Map<string, number>();
  const isFree = (id: string, mine: boolean): boolean => !taken.has(id) && (mine || !own.has(id));
  const choose = (id: string, mine: boolean): string => {
    if (canKeep(id) && isFree(id, mine)) return id;
    const base = sanitised(id);
    if (isFree(base, false)) return base;
    let count = counts.get(base) ?? 1;
    let found: string;
    do {
      count++;
      found = `${base}-${count}`;
    } while (!isFree(found, false));
    counts.set(base, count);
    return found;
  };
  return {
    isKnown: (id) => own.has(id) || inner.has(id),
    *known() {
      yield* own;
      yield* inner;
    },
    take: (id, mine) => {
      const found = choose(id, mine);
      taken.set(found, taken.size);
      return found;
    },
    position: (id) => taken.get(id) ?? taken.size,
  };
}

function canKeep(id: string): boolean {
  return KEPT.test(id) && !INHERITED.has(id) && !id.startsWith('__');
}

function sanitised(id: string): string {
  const plain = id
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 50);
  if (plain === '') return 'step';
  return INHERITED.has(plain) ? `${plain}-step` : plain;
}
