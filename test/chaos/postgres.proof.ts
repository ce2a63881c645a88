import { setTimeout as pause } from 'node:timers/promises';
import { SET_UP_MS } from '../durability/support/scratch';
import { FleetOnPostgres, HOSTS } from './fleet-on-postgres';

/**
 * `npm run chaos`: two workers with state folders of their own on one database. At random a worker gets SIGKILL, or SIGSTOP for longer than
 * a heartbeat may be late, or the database is killed, until every run has ended. `CHAOS_RUNS` says how many there are.
 */
const RUNS = Number(process.env['CHAOS_RUNS'] ?? 20);
const MOST_MS = 3_600_000;
/** Longer than the server waits for a heartbeat. */
const STOPPED_MS = 45_000;
const BETWEEN_MS = 4000;

let fleet: FleetOnPostgres;

beforeAll(async () => {
  fleet = await FleetOnPostgres.start();
}, SET_UP_MS);
afterAll(() => fleet.close());

function oneOf<T>(all: readonly T[]): T {
  const found = all[Math.floor(Math.random() * all.length)];
  if (found === undefined) throw new RangeError('there is nothing to choose from');
  return found;
}

test(
  'whatever is killed or stopped, every run ends, and each effect is there once or its repetition is journalled',
  async () => {
    for (const host of HOSTS) fleet.work(host);
    const done: Record<string, number> = { 'a worker killed': 0, 'a worker stopped': 0, 'the database killed': 0 };
    let over = false;
    const disturbing = (async () => {
      for (let n = 0; !over; n += 1) {
        await pause(BETWEEN_MS);
        // Each at least once.
        const what = Object.keys(done)[n] ?? oneOf(Object.keys(done));
        if (what === 'a worker killed') await fleet.kill(oneOf(HOSTS));
        else if (what === 'a worker stopped') await fleet.stopFor(oneOf(HOSTS), STOPPED_MS);
        else await fleet.killDatabase();
        done[what] = (done[what] ?? 0) + 1;
      }
    })();
    const runs: string[] = [];
    const ending: Promise<string>[] = [];
    for (let n = 0; n < RUNS; n += 1) {
      const run = await fleet.begin(n);
      runs.push(run);
      ending.push(fleet.seeThrough(run).then(({ state }) => state));
    }
    const states = await Promise.all(ending);
    over = true;
    await disturbing;
    expect(states).toEqual(runs.map(() => 'completed'));
    expect(await fleet.faults(runs)).toEqual([]);
    await fleet.expectNoSlotHeld();
    process.stderr.write(`${RUNS} runs: ${JSON.stringify(done)}\n`);
  },
  MOST_MS,
);
