import { carry, SPOTLESS } from '../chaos/carry';
import { Fleet } from '../chaos/fleet';
import { describeOnPostgres } from '../support/on-postgres';
import { SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** The small form of `test/chaos/chaos.proof.ts`. */

describeOnPostgres('two hosts on one database', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start('postgres', ['a', 'b']);
  }, SET_UP_MS);
  afterAll(() => fleet.close());

  test('a worker and the database are killed: every run ends, each effect is there once or its repetition is journalled', async () => {
    const { verdict } = await carry(fleet, { runs: 3, mostMs: SET_UP_MS, mayRepeat: true }, async () => {
      await until('they work', () => fleet.scratch.lines('effects').length > 2);
      await Promise.all([fleet.hosts[0]?.kill(), fleet.killDatabase()]);
    });
    expect(verdict).toEqual(SPOTLESS);
  });
});
