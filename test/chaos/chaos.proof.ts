import { SET_UP_MS } from '../durability/support/scratch';
import { aloud } from './aloud';
import { Fleet } from './fleet';
import { proveChaos } from './prove-chaos';
import { HOSTS, MOST_MS, RUNS, STORES_TO_PROVE } from './sizes';

/** `npm run chaos`: runs of every sort on four workers, while workers, server, database, disks and lines die. */
describe.each(STORES_TO_PROVE)('store: %s', (store) => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start(store, HOSTS, { say: aloud });
  }, SET_UP_MS);
  afterAll(() => fleet.close());

  test('whatever dies, every run ends as it must', () => proveChaos(fleet, RUNS, `store: ${store}`), MOST_MS);
});
