/**
 * Whether all points at which something may happen, and all seeded cases, are tried, as in `npm run prove` (`THERMIDOR_SWEEP=all`).
 * `npm test` tries some of them.
 */
const ALL = process.env['THERMIDOR_SWEEP'] === 'all';

/**
 * For a test that starts many processes, if another test shows its mechanism in `npm test`: it runs only with the sweep. Without the sweep
 * jest counts it as skipped, and the hooks of a block that has no other tests do not run.
 */
export const inSweep = {
  test: ALL ? test : test.skip,
  concurrent: ALL ? test.concurrent : test.concurrent.skip,
  describe: ALL ? describe : describe.skip,
};

/** One of two cases that show the same: the small one, or with the sweep the full one. */
export function sweepCase<T>(small: T, whole: T): T {
  return ALL ? whole : small;
}

/** The first, the last, and others at equal distances; the same ones each time. */
export function sweep<T>(places: readonly T[], most: number): T[] {
  if (ALL || places.length <= most) return [...places];
  const step = (places.length - 1) / (most - 1);
  const chosen = new Set(Array.from({ length: most }, (_, n) => Math.round(n * step)));
  return places.filter((_, n) => chosen.has(n));
}

/** Whether rows are tried that another row represents. */
export function sweepsAll(): boolean {
  return ALL;
}

/** The number of seeded cases: a few, or all. */
export function sweepCount(few: number, all: number): number {
  return ALL ? all : few;
}

/** The distance between two points that are tried, if points are counted while the test runs. */
export function sweepStep(step: number): number {
  return ALL ? 1 : step;
}
