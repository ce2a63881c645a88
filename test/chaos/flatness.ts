import { type Look, meanByName, tenths } from './soak-looks';

export interface Change {
  /** Means of the first quarter behind the warm-up, and of the last. */
  first: number;
  last: number;
}

/** The share of the time in which caches and pools fill. */
const WARM_UP = 1 / 6;

/** How much more there may be in the end: a share, and a number, since small ones go up and down with what happens to be at work. */
const LIMITS: readonly { of: RegExp; share: number; number: number }[] = [
  { of: /^worker .*: memory, MB$/, share: 0.15, number: 10 },
  { of: /^worker .*: heap/, share: 0.15, number: 5 },
  { of: /^worker .*: memory beyond the heap, MB$/, share: 0.15, number: 5 },
  { of: /^worker .*: threads$/, share: 0, number: 4 },
  { of: /^worker .*: handles/, share: 0.1, number: 10 },
  { of: /^another worker, .*: (memory|heap that)/, share: 0.15, number: 10 },
  { of: /^database: connections$/, share: 0.1, number: 5 },
  { of: /^database: leases/, share: 0.1, number: 5 },
  { of: /^server: connections$/, share: 0.1, number: 5 },
  { of: /^a host: (worktrees|notes|temporary)/, share: 0.1, number: 5 },
];

/** By its name, whatever was seen in both quarters. */
export function changes(looks: readonly Look[]): Record<string, Change> {
  const warm = looks.slice(Math.floor(looks.length * WARM_UP));
  const quarter = Math.max(1, Math.floor(warm.length / 4));
  const meansOf = (some: readonly Look[]): Record<string, number> => meanByName(some.flatMap((look) => Object.entries(look)));
  const [before, after] = [meansOf(warm.slice(0, quarter)), meansOf(warm.slice(-quarter))];
  return Object.fromEntries(
    Object.entries(before).flatMap(([name, first]) => {
      const last = after[name];
      return last === undefined ? [] : [[name, { first, last }] as const];
    }),
  );
}

/** What has grown beyond its limit, a line each. */
export function growth(all: Readonly<Record<string, Change>>): string[] {
  return Object.entries(all).flatMap(([name, { first, last }]) => {
    const limit = LIMITS.find(({ of }) => of.test(name));
    return limit && last > first * (1 + limit.share) + limit.number ? [`${name}: ${tenths(first)}, then ${tenths(last)}`] : [];
  });
}
