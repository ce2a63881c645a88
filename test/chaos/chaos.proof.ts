import { SET_UP_MS } from '../durability/support/scratch';
import { aloud, printTable } from './aloud';
import { atOnce, carry, SPOTLESS } from './carry';
import { disturb } from './disturbances';
import { Fleet } from './fleet';
import { HOSTS, MOST_MS, RUNS, STORES_TO_PROVE } from './sizes';

/**
 * `npm run chaos`: runs of every sort on four workers, while workers, server, database, disks and lines die. `CHAOS_SEED` repeats the
 * order of the disturbances, `CHAOS_BETWEEN_MS` is the time between two of them, and `CHAOS_LONG_MS` how long a worker is stopped.
 */
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
const BETWEEN_MS = Number(process.env['CHAOS_BETWEEN_MS'] ?? 4000);
const LONG_MS = Number(process.env['CHAOS_LONG_MS'] ?? 60_000);

describe.each(STORES_TO_PROVE)('store: %s', (store) => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start(store, HOSTS, { say: aloud });
  }, SET_UP_MS);
  afterAll(() => fleet.close());

  test(
    'whatever dies, every run ends as it must, each effect is there once or its repetition is journalled, and nothing is left',
    async () => {
      fleet.say(`seed ${SEED}`);
      const pace = { seed: SEED, betweenMs: BETWEEN_MS, longMs: LONG_MS, only: process.env['CHAOS_ONLY'] ?? '' };
      const load = { supply: atOnce(RUNS), mostMs: MOST_MS, mayRepeat: true };
      const { verdict, happened, tookMs } = await carry(fleet, load, (over) => disturb(fleet, pace, over));
      const failedStarts = fleet.hosts.reduce((sum, host) => sum + host.failedStarts, 0);
      const more = {
        'starts of workers that failed for want of server or database': failedStarts,
        'seconds until all had ended': Math.round(tookMs / 1000),
      };
      printTable(`${RUNS} runs, store: ${store}, seed ${SEED}`, { ...happened, ...more });
      expect(verdict).toEqual(SPOTLESS);
    },
    MOST_MS,
  );
});
