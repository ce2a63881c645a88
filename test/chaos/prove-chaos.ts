import { aloud, printTable } from './aloud';
import { atOnce, carry, SPOTLESS } from './carry';
import { disturb } from './disturbances';
import type { Fleet } from './fleet';
import { MOST_MS } from './sizes';

/**
 * `CHAOS_SEED` repeats the order of the disturbances, `CHAOS_BETWEEN_MS` is the time between two of them, `CHAOS_LONG_MS` how long a worker
 * is stopped, and `CHAOS_ONLY` a part of the names of those that there are.
 */
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
const BETWEEN_MS = Number(process.env['CHAOS_BETWEEN_MS'] ?? 4000);
const LONG_MS = Number(process.env['CHAOS_LONG_MS'] ?? 60_000);

/** Whatever dies, every run ends as it must, each effect is there once or its repetition is journalled, and nothing is left. */
export async function proveChaos(fleet: Fleet, runs: number, where: string): Promise<void> {
  aloud(`seed ${SEED}`);
  const pace = { seed: SEED, betweenMs: BETWEEN_MS, longMs: LONG_MS, only: process.env['CHAOS_ONLY'] ?? '' };
  const load = { supply: atOnce(runs), mostMs: MOST_MS, mayRepeat: true };
  const { verdict, happened, tookMs } = await carry(fleet, load, (over) => disturb(fleet, pace, over));
  const failedStarts = fleet.hosts.reduce((sum, host) => sum + host.failedStarts, 0);
  const more = {
    'starts of workers that failed for want of server or database': failedStarts,
    'seconds until all had ended': Math.round(tookMs / 1000),
  };
  printTable(`${runs} runs, ${where}, seed ${SEED}`, { ...happened, ...more });
  expect(verdict).toEqual(SPOTLESS);
}
