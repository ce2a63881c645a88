import { setTimeout as pause } from 'node:timers/promises';
import { SET_UP_MS } from '../durability/support/scratch';
import { aloud, printTable } from './aloud';
import { atOnce, carry, SPOTLESS } from './carry';
import { Fleet } from './fleet';
import { HOSTS, MOST_MS, RUNS, STORES_TO_PROVE } from './sizes';

/** `npm run chaos`: the four workers are restarted in order, one after the other, again and again while runs of every sort are at work. */
const BETWEEN_MS = 2000;
/** Above what the longest step takes on a busy machine. */
const GRACE_S = 120;

describe.each(STORES_TO_PROVE)('store: %s', (store) => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start(store, HOSTS, { graceS: GRACE_S, say: aloud });
  }, SET_UP_MS);
  afterAll(() => fleet.close());

  async function roll(over: AbortSignal): Promise<number> {
    let restarts = 0;
    for (; !over.aborted; restarts += 1) {
      await pause(BETWEEN_MS, undefined, { signal: over }).catch(() => undefined);
      const host = fleet.hosts[restarts % HOSTS.length];
      fleet.say(`restart ${restarts}: ${host?.name}`);
      await host?.restart();
    }
    return restarts;
  }

  test(
    'no step fails, and none is repeated, while all workers are restarted',
    async () => {
      const { verdict, happened, tookMs } = await carry(fleet, { supply: atOnce(RUNS), mostMs: MOST_MS, mayRepeat: false }, roll);
      printTable(`${RUNS} runs in a rolling restart, store: ${store}`, {
        restarts: happened,
        'seconds until all had ended': Math.round(tookMs / 1000),
      });
      expect(verdict).toEqual(SPOTLESS);
    },
    MOST_MS,
  );
});
