/** How often the input is doubled, so that what grows by the square stands out from whatever else the process does. */
const DOUBLINGS = 3;
/** A doubling of what is linear takes about twice the time, of what is quadratic four times. */
const MOST_A_DOUBLING = 3.5;
const TRIES = 3;
/** What takes less is lost in the noise of the clock. */
const LEAST_MS = 2;

/**
 * Expects that work takes time in proportion to its input: processor time of this process, so that whatever else the machine does is not
 * counted. Of several measurements the best counts, because a garbage collection makes one worse and nothing makes one better.
 */
export function expectLinear<T>(make: (size: number) => T, work: (input: T) => unknown, size: number): void {
  const [small, large] = [make(size), make(size * 2 ** DOUBLINGS)];
  spent(() => work(small));
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < TRIES && best >= MOST_A_DOUBLING; round += 1) best = Math.min(best, growth(small, large, work));
  expect(best).toBeLessThan(MOST_A_DOUBLING);
}

/** How many times as much each doubling takes. */
function growth<T>(small: T, large: T, work: (input: T) => unknown): number {
  const [before, after] = [small, large].map((input) => Math.min(...Array.from({ length: TRIES }, () => spent(() => work(input)))));
  return (Math.max(after ?? 0, LEAST_MS) / Math.max(before ?? 0, LEAST_MS)) ** (1 / DOUBLINGS);
}

function spent(work: () => unknown): number {
  const from = process.cpuUsage();
  work();
  return process.cpuUsage(from).user / 1000;
}
