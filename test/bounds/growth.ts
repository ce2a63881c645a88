/** How often the input is doubled: often enough that quadratic growth differs clearly from noise. */
const DOUBLINGS = 3;
/** Linear work takes about twice the time for a doubled input, quadratic work four times. */
const MOST_A_DOUBLING = 3.5;
const TRIES = 3;
const LARGE_TRIES = 9;
/** Shorter times are lost in the noise of the clock. */
const LEAST_MS = 2;

/**
 * Expects that work takes time in proportion to its input. It measures this process's processor time, so other processes do not count. The
 * best of several measurements counts, because garbage collection makes some worse and nothing makes one better.
 */
export function expectLinear<T>(make: (size: number) => T, work: (input: T) => unknown, size: number): void {
  const [small, large] = [make(size), make(size * 2 ** DOUBLINGS)];
  spent(() => work(small));
  const before = Math.min(...Array.from({ length: TRIES }, () => spent(() => work(small))));
  let after = Number.POSITIVE_INFINITY;
  const growth = () => (Math.max(after, LEAST_MS) / Math.max(before, LEAST_MS)) ** (1 / DOUBLINGS);
  // The large input costs the most, so it is measured again only if the result may be the machine's fault.
  for (let round = 0; round < LARGE_TRIES && growth() >= MOST_A_DOUBLING; round += 1)
    after = Math.min(
      after,
      spent(() => work(large)),
    );
  expect(growth()).toBeLessThan(MOST_A_DOUBLING);
}

function spent(work: () => unknown): number {
  const from = process.cpuUsage();
  work();
  return process.cpuUsage(from).user / 1000;
}
