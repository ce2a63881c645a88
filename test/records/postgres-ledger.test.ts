import { PostgresServer } from '../../bench/store/postgres-server';
import type { Json } from '../../plan/text/json';
import type { Ledger, RecordLog, RunKey } from '../../records/ledger';
import { openRecords } from '../../records/open-records';
import { Database } from '../../records/postgres/database';
import { migrateStore } from '../../records/postgres/migrate-store';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import { codeOf, scratchFolder } from '../activities/workshop';
import { describeOnPostgres } from '../support/on-postgres';
import { until } from '../support/until';

/** The ledger on PostgreSQL as many processes use it at once, each by connections of its own, and what a crash of the server leaves. */
const KEY: RunKey = { workflowId: 'run', run: 'first' };

describeOnPostgres('a ledger on PostgreSQL', () => {
  let server: PostgresServer;
  let place: PostgresPlace;

  beforeAll(async () => {
    server = await PostgresServer.start({ settings: ['fsync=off'] });
  });
  beforeEach(async () => {
    place = await server.store();
  });
  afterAll(() => server.stop());

  function ledger(): Ledger {
    return openRecords({ stateDir: scratchFolder(), postgres: place }).ledger;
  }

  test.each([
    [undefined, 10],
    [4, 10],
    [64, 13],
    [100, 20],
    [1000, 40],
  ])('has connections for a worker with %s places: %s at most, also if it was in use before', async (places, most) => {
    const name = `pool-for-${places}`;
    const records = openRecords({
      ...{ stateDir: scratchFolder(), key: async () => Buffer.alloc(32, 1) },
      postgres: { ...place, url: `${place.url}?application_name=${name}` },
    });
    await records.ledger.get(KEY, 'before');
    await records.ready(places);
    await Promise.all(Array.from({ length: 100 }, (_, n) => records.ledger.get(KEY, `name ${n}`)));
    const opened = await new Database(place).query('select from pg_stat_activity where application_name = $1', [name]);
    expect(opened).toHaveLength(most);
  });

  test('puts the lines of all who add to a log in one order, each once', async () => {
    const all = [ledger(), ledger(), ledger(), ledger()];
    await Promise.all(
      all.flatMap((one, by) => Array.from({ length: 50 }, (_, n) => one.append(KEY, 'log', { by, n }, { by, n, last: true }))),
    );
    const [lines, same] = await Promise.all([all[0]?.lines(KEY, 'log'), all[3]?.lines(KEY, 'log')]);
    expect(lines).toEqual(same);
    expect(new Set(lines?.map((line) => JSON.stringify(line))).size).toBe(400);
    // What was added at once is together.
    const pairs = lines?.flatMap((line, at) => (at % 2 === 0 ? [[line, lines[at + 1]]] : [])) as [{ by: number; n: number }, Json][];
    for (const [first, last] of pairs) expect(last).toEqual({ ...first, last: true });
  });

  test('gives one record to all who put at once, whatever each of them brings', async () => {
    const all = [ledger(), ledger(), ledger(), ledger()];
    for (let round = 0; round < 20; round += 1) {
      const kept = await Promise.all(all.map((one, by) => one.putIfAbsent(KEY, `record-${round}`, by)));
      expect(new Set(kept).size).toBe(1);
      expect(await all[0]?.get(KEY, `record-${round}`)).toBe(kept[0]);
    }
  });

  test('has one writer of a claimed log: nothing of an earlier one gets in after the claim', async () => {
    const [one, two] = [ledger(), ledger()];
    const first = await one.claim(KEY, 'log');
    let written = 0;
    const writing = (async () => {
      for (; ; written += 1) await first.append({ n: written });
    })();
    const late = codeOf(writing);
    await until(() => written > 10);
    const second = await two.claim(KEY, 'log');
    await second.append({ second: true });
    expect(await late).toBe('worker.lost');
    expect(await one.lines(KEY, 'log')).toEqual([...second.before, { second: true }]);
  });

  test('lets one of several workers begin an effect, and gives all the same result', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `effect-${n}`);
    const logs = await Promise.all([ledger(), ledger(), ledger()].map((one) => one.recordLog(KEY, 'effects')));
    const eachName = (work: (log: RecordLog, name: string, by: number) => Promise<unknown>) =>
      Promise.all(logs.map((log, by) => Promise.all(names.map((name) => work(log, name, by)))));
    await Promise.all(logs.map((log) => log.claim(names)));
    const begun = await eachName((log, name) => log.begin(name).catch(({ code }) => code));
    const winner = begun.findIndex((each) => each.includes(false));
    expect(begun).toEqual(logs.map((_, by) => names.map(() => (by === winner ? false : 'worker.lost'))));
    const kept = await eachName((log, name, by) => log.putIfAbsent(name, by).catch(({ code }) => code));
    expect(kept[winner]).toEqual(names.map(() => winner));
    expect(kept.flat().filter((one) => one !== winner && one !== 'worker.lost')).toEqual([]);
    const free = await eachName((log, name, by) => log.putIfAbsent(`free-${name}`, by));
    expect([free[1], free[2]]).toEqual([free[0], free[0]]);
    const read = await ledger().recordLog(KEY, 'effects');
    expect(names.map((name) => [read.get(name), read.get(`free-${name}`)])).toEqual(names.map((_, at) => [winner, free[0]?.[at]]));
  });

  test('loses no line that was added, and has none twice, when the server is killed and comes back', async () => {
    const one = ledger();
    const log = await one.claim(KEY, 'log');
    const added: number[] = [];
    let stopped = false;
    const writing = (async () => {
      for (let n = 0; !stopped; n += 1) {
        await log.append({ n });
        added.push(n);
      }
    })();
    for (let kills = 0; kills < 2; kills += 1) {
      const before = added.length;
      await until(() => added.length > before + 10);
      await server.kill('SIGKILL');
      await server.startAgain();
    }
    stopped = true;
    await writing;
    expect(added.length).toBeGreaterThan(2);
    expect(await one.lines(KEY, 'log')).toEqual(added.map((n) => ({ n })));
  });

  test('is not mistaken for an empty one when its tables were made anew under a working process', async () => {
    const one = ledger();
    await one.putIfAbsent(KEY, 'a', 1);
    await server.dropStore(place);
    await migrateStore(place);
    const read = () => one.get(KEY, 'a').catch(({ code, message }) => `${code}: ${message}`);
    await until(async () => (await read()) !== undefined);
    expect(await read()).toMatch(/^store\.unavailable: the store .* was replaced by another while it was in use/);
  });

  test('fails as unavailable while the server is away, and is well afterwards', async () => {
    const one = ledger();
    await one.putIfAbsent(KEY, 'a', 1);
    await server.kill('SIGINT');
    expect(await codeOf(one.get(KEY, 'a'))).toBe('store.unavailable');
    await server.startAgain();
    expect(await one.get(KEY, 'a')).toBe(1);
  });
});
