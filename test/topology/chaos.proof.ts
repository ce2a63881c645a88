import { aloud } from '../chaos/aloud';
import { Fleet } from '../chaos/fleet';
import { proveChaos } from '../chaos/prove-chaos';
import { HOSTS, MOST_MS } from '../chaos/sizes';
import { replayRuns } from '../durability/support/replay-runs';
import { missingParts } from './parts';
import { Topology } from './topology';

/**
 * `npm run test:topology`: the chaos of `npm run chaos`, with the server of the compose file and its settings, and the store in that
 * server's PostgreSQL: if one of them dies, both feel it.
 */
const SET_UP_MS = 3_600_000;
const RUNS = Number(process.env['CHAOS_RUNS'] ?? 30);

let fleet: Fleet;
beforeAll(async () => {
  const missing = missingParts();
  if (missing !== undefined) throw new Error(missing);
  const topology = await Topology.serverAlone(aloud);
  const { port, database, address } = topology;
  const grounds = {
    ...{ port, database },
    killServer: (awayMs: number) => topology.killAndRestart('temporal', awayMs),
    async close() {
      try {
        expect(await replayRuns(address)).toEqual([]);
      } finally {
        await topology.close();
      }
    },
  };
  fleet = await Fleet.start('postgres', HOSTS, { say: aloud, grounds });
}, SET_UP_MS);
afterAll(() => fleet?.close(), SET_UP_MS);

test('whatever dies, every run ends as it must', () => proveChaos(fleet, RUNS, 'on the server of the compose file'), MOST_MS);
