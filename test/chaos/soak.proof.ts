import { setTimeout as pause } from 'node:timers/promises';
import { SET_UP_MS } from '../durability/support/scratch';
import { aloud, printTable } from './aloud';
import { carry, SPOTLESS, type Supply } from './carry';
import { disturb } from './disturbances';
import { changes, growth } from './flatness';
import { Fleet } from './fleet';
import { HOSTS, MOST_MS } from './sizes';
import { Looks, tenths } from './soak-looks';

/**
 * `npm run chaos -- soak`: the chaos at a low rate for `CHAOS_SOAK_MINUTES`. Nothing grows but records: memory, handles, connections,
 * leases and files at the end are what they were at the beginning. The worker of one host is never ended, so that what it holds can grow.
 */
const STORE = process.env['CHAOS_STORE'] === 'folder' ? 'folder' : 'postgres';
const MINUTE_MS = 60_000;
const SOAK_MS = Number(process.env['CHAOS_SOAK_MINUTES'] ?? 120) * MINUTE_MS;
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
const BETWEEN_MS = Number(process.env['CHAOS_BETWEEN_MS'] ?? 30_000);
const LONG_MS = Number(process.env['CHAOS_LONG_MS'] ?? 60_000);
const LOOK_MS = Math.min(MINUTE_MS, SOAK_MS / 20);
const BETWEEN_RUNS_MS = 15_000;
/** More of them only wait for each other. */
const MOST_OPEN = 12;
const [STEADY = ''] = HOSTS;

describe(`store: ${STORE}`, () => {
  let fleet: Fleet;
  let looks: Looks;
  beforeAll(async () => {
    fleet = await Fleet.start(STORE, HOSTS, { say: aloud, isWatched: true });
    looks = new Looks(fleet, STEADY);
  }, SET_UP_MS);
  afterAll(() => fleet.close());

  async function every(ms: number, over: AbortSignal, what: () => Promise<unknown>): Promise<void> {
    while (!over.aborted) {
      await what();
      await pause(ms, undefined, { signal: over }).catch(() => undefined);
    }
  }

  const supply: Supply = async (next) => {
    const over = AbortSignal.timeout(SOAK_MS);
    const looking = every(LOOK_MS, over, () => looks.look());
    await every(BETWEEN_RUNS_MS, over, async () => {
      if ((await fleet.open()) < MOST_OPEN) await next();
    });
    await looking;
  };

  test(
    'what a worker, the store and the hosts hold does not grow',
    async () => {
      fleet.say(`seed ${SEED}`);
      const steady = fleet.hosts.find(({ name }) => name === STEADY)?.worker.pid;
      const pace = { seed: SEED, betweenMs: BETWEEN_MS, longMs: LONG_MS, only: process.env['CHAOS_ONLY'] ?? '', spared: STEADY };
      const { verdict, happened } = await carry(fleet, { supply, mostMs: MOST_MS, mayRepeat: true }, async (over) => {
        const counts = await disturb(fleet, pace, over);
        return { counts, steady: fleet.hosts.find(({ name }) => name === STEADY)?.worker.pid };
      });
      const all = changes(looks.all);
      const title = `the soak, store: ${STORE}, seed ${SEED}`;
      printTable(title, { ...happened.counts });
      printTable(
        `${title}: the first quarter after the warm-up, and the last`,
        Object.fromEntries(Object.entries(all).map(([what, { first, last }]) => [what, [tenths(first), tenths(last)]])),
      );
      expect(verdict).toEqual(SPOTLESS);
      expect(happened.steady).toBe(steady);
      expect(growth(all)).toEqual([]);
    },
    SOAK_MS + MOST_MS,
  );
});
