import { FleetOnPostgres, HOSTS } from '../chaos/fleet-on-postgres';
import { describeOnPostgres } from '../support/on-postgres';
import { SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** The small form of `test/chaos/postgres.proof.ts`: each disturbance once. */

describeOnPostgres('two hosts on one database', () => {
  let fleet: FleetOnPostgres;
  beforeAll(async () => {
    fleet = await FleetOnPostgres.start();
  }, SET_UP_MS);
  afterAll(() => fleet.close());

  test('a worker and the database are killed: every run ends, each effect is there once or its repetition is journalled', async () => {
    for (const host of HOSTS) fleet.work(host);
    const runs = await Promise.all([0, 1, 2].map((n) => fleet.begin(n)));
    await until('they work', () => fleet.scratch.lines('effects').length > 2);
    await fleet.kill('a');
    await fleet.killDatabase();
    const views = await Promise.all(runs.map((run) => fleet.seeThrough(run)));
    expect(views.map(({ state }) => state)).toEqual(runs.map(() => 'completed'));
    expect(await fleet.faults(runs)).toEqual([]);
    await fleet.expectNoSlotHeld();
  });
});
