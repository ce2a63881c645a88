import { setTimeout as pause } from 'node:timers/promises';

const BETWEEN_LOOKS_MS = 25;
/** Looks take at most a quarter of the time, and a smaller share the longer it takes: commands compete with what they ask about. */
const OF_LAST_LOOK = 3;
const MOST_BETWEEN_LOOKS_MS = 1000;
const OF_TIME_SO_FAR = 1 / 8;
/** Only bounds hangs: even the slowest machine needs less. */
const PATIENCE_MS = 150_000;

/** Looks until there is something to see, and returns it. Fails when that takes longer than anything here can take. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const start = Date.now();
  const deadline = start + patienceMs;
  for (;;) {
    const began = Date.now();
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) throw new Error(`it did not come to this: ${what}`);
    const now = Date.now();
    await pause(Math.min(Math.max(BETWEEN_LOOKS_MS, (now - began) * OF_LAST_LOOK, (now - start) * OF_TIME_SO_FAR), MOST_BETWEEN_LOOKS_MS));
  }
}
