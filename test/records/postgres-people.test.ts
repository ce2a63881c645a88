import { PostgresServer } from '../../bench/store/postgres-server';
import type { FleetSlots, SlotCall } from '../../records/fleet-slots';
import type { LastingGrant } from '../../records/lasting-grants';
import { Database } from '../../records/postgres/database';
import { EnvironmentRows } from '../../records/postgres/environment-rows';
import { GrantRows } from '../../records/postgres/grant-rows';
import { keyDigest } from '../../records/postgres/key-digest';
import { LedgerRows } from '../../records/postgres/ledger-rows';
import { migrateStore } from '../../records/postgres/migrate-store';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import { postgresRecords } from '../../records/postgres/postgres-records';
import { SlotRows } from '../../records/postgres/slot-rows';
import { databaseTransfer } from '../../records/postgres/transfer/database-transfer';
import type { RefusedAnswer } from '../../records/refused-answers';
import { LossyNetwork } from '../support/lossy-network';
import { describeOnPostgres } from '../support/on-postgres';
import { sweepCount } from '../support/sweep';
import { until } from '../support/until';

/** What is a database's own in the ports of people and workers; `ports.test.ts` has the rules of every store. */

let server: PostgresServer;
let twice: LossyNetwork;
let isLossy = false;
let isFirst = false;

describeOnPostgres('on PostgreSQL', () => {
  beforeAll(async () => {
    server = await PostgresServer.start();
    twice = await LossyNetwork.start(server.port, () => {
      isFirst = !isFirst;
      return isLossy && isFirst ? 'answer-lost' : 'fine';
    });
  });

  afterAll(async () => {
    await twice.stop();
    await server.stop();
  });

  const call = (n: number): SlotCall => ({ workflowId: `p-${n}`, run: 'first', step: 'work#1~1' });
  const take = async (slots: FleetSlots, n: number, limit = 2): Promise<boolean> => (await slots.take('demo', call(n), limit)).taken;

  /** From here on each statement is executed, its answer is lost, and it is executed again. */
  async function executingTwice(place: PostgresPlace): Promise<Database> {
    const url = new URL(place.url);
    url.port = String(twice.port);
    const database = new Database({ ...place, url: url.href });
    await database.query('select');
    [isLossy, isFirst] = [true, false];
    return database;
  }

  afterEach(() => {
    isLossy = false;
  });

  test('a slot whose answer was lost is found again, and who was to be woken is woken', async () => {
    const slots = new SlotRows(await executingTwice(await server.store()));
    const took: boolean[] = [];
    for (const n of [1, 2, 3, 4, 5]) took.push(await take(slots, n));
    expect(took).toEqual([true, true, false, false, false]);
    expect(await slots.give('demo', call(1), 2)).toEqual([call(3)]);
    // The limit was raised.
    expect(await slots.take('demo', call(6), 4)).toEqual({ taken: false, wake: [call(4), call(5)] });
  });

  test('a revocation whose answer was lost ends nothing that was granted since', async () => {
    const place = await server.store();
    const [slow, other] = [new GrantRows(await executingTwice(place)), postgresRecords(place).grants];
    const one: LastingGrant = { id: '1', project: 'acme', categories: ['deploy'], at: '2026-01-01T00:00:00Z', run: 'r' };
    await slow.add(one);
    expect(await slow.list()).toHaveLength(1);
    const lost = twice.met['answer-lost'];
    const revoking = slow.revoke({ project: 'acme', category: '*', at: one.at });
    await until(() => twice.met['answer-lost'] > lost);
    await until(async () => (await other.inForce('acme')).length === 0);
    await other.add({ ...one, id: '2' });
    await revoking;
    expect(await slow.inForce('acme')).toEqual(['deploy']);
  });

  test('a log has each line once, and a record of an effect was not begun before, when every statement is executed twice', async () => {
    const ledger = new LedgerRows(await executingTwice(await server.store()));
    const key = { workflowId: 'p', run: 'first' };
    const mine = await ledger.claim(key, 'log', 1);
    await mine.append({ n: 1 }, { n: 2 });
    await mine.note({ n: 3 });
    await mine.sync();
    await ledger.append(key, 'other', 1, 2);
    expect([await ledger.lines(key, 'log'), await ledger.lines(key, 'other')]).toEqual([
      [{ n: 1 }, { n: 2 }, { n: 3 }],
      [1, 2],
    ]);
    const effects = await ledger.recordLog(key, 'effects');
    await effects.claim(['a'], 1);
    expect([await effects.begin('a'), await effects.putIfAbsent('a', 1), await effects.begin('a')]).toEqual([false, 1, true]);
    expect(effects.begins('a')).toHaveLength(2);
    expect([await ledger.putIfAbsent(key, 'a', 1), await ledger.putIfAbsent(key, 'a', 2)]).toEqual([1, 1]);
  });

  test('a holder without a sign of life loses its slot, and one that keeps it does not', async () => {
    const place = await server.store();
    const slots = new SlotRows(new Database(place), { lostMs: 500, absentMs: 60_000 });
    for (const n of [1, 2]) await take(slots, n);
    await until(async () => {
      await slots.keep('demo', call(2));
      return await take(slots, 3);
    });
    expect([await take(slots, 1), await take(slots, 2)]).toEqual([false, true]);
  });

  test('a call that was woken and does not come loses its place', async () => {
    const slots = new SlotRows(new Database(await server.store()), { lostMs: 60_000, absentMs: 300 });
    for (const n of [1, 2, 3]) await take(slots, n, 1);
    expect(await slots.give('demo', call(1), 1)).toEqual([call(2)]);
    expect(await take(slots, 3, 1)).toBe(false);
    await until(() => take(slots, 3, 1));
    expect(await take(slots, 2, 1)).toBe(false);
  });

  test('what dead holders and waiting calls have left is swept for pipelines that nobody asks for any more, and nothing else', async () => {
    const database = new Database(await server.store());
    const slots = new SlotRows(database, { lostMs: 100, absentMs: 100, forsakenMs: 200 });
    const left = async () => {
      await slots.sweep();
      const [slot, place] = [
        await database.query('select from thermidor.slot'),
        await database.query('select from thermidor.place_in_line'),
      ];
      return [slot.length, place.length];
    };
    const moveTo = async (column: string, interval: string, fleet = 'old') => {
      const [table, of] = column === 'kept_at' ? ['slot', ''] : ['place_in_line', `and (woken_at is null) = ${column === 'asked_at'}`];
      const change = `update thermidor.${table} set ${column} = clock_timestamp() + interval '${interval}' where fleet = $1 ${of}`;
      await database.query(change, [keyDigest(fleet)]);
    };
    for (const fleet of ['old', 'young']) {
      for (const n of [1, 2, 3, 4]) await new SlotRows(database).take(fleet, call(n), 2);
      await new SlotRows(database).give(fleet, call(1), 2);
      for (const column of ['kept_at', 'woken_at', 'asked_at']) await moveTo(column, '1 hour', fleet);
    }
    expect(await left()).toEqual([2, 4]);
    await moveTo('kept_at', '-1 hour');
    expect(await left()).toEqual([1, 4]);
    await moveTo('woken_at', '-1 hour');
    expect(await left()).toEqual([1, 3]);
    await moveTo('asked_at', '-1 hour');
    // It asks again, as it does after a quarter of an hour.
    await new SlotRows(database).take('old', call(4), 0);
    const asked = await database.query("select from thermidor.place_in_line where asked_at > clock_timestamp() - interval '30 min'");
    expect(asked).toHaveLength(3);
    await moveTo('asked_at', '-1 hour');
    expect(await left()).toEqual([1, 2]);
  });

  test('a holder that gives a sign of life while it is swept keeps its slot', async () => {
    const place = await server.store();
    const [database, slots] = [new Database(place), new SlotRows(new Database(place), { lostMs: 100 })];
    await slots.take('demo', call(1), 1);
    await database.query("update thermidor.slot set kept_at = kept_at - interval '1 min'");
    let swept = Promise.resolve();
    await database.transaction(async (sql) => {
      await sql.query("update thermidor.slot set kept_at = clock_timestamp() + interval '1 hour'");
      swept = slots.sweep();
      const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%place_in_line%'";
      await until(async () => (await database.query(waiting)).length > 0);
    });
    await swept;
    expect(await database.query('select from thermidor.slot')).toHaveLength(1);
  });

  test('the rows of killed workers are forgotten, but not of those that could give no sign of life while the database was away', async () => {
    const place = await server.store();
    const database = new Database(place);
    const hosts = async () => (await database.query<{ host: string }>('select host from thermidor.worker')).map(({ host }) => host);
    await database.query("insert into thermidor.worker values (gen_random_uuid(), 'dead', clock_timestamp() - interval '9 min')");
    const announcing = (deadAfterMs: number) => postgresRecords(place).presence(() => undefined, { deadAfterMs });
    await until(async () => {
      await (await announcing(50).announce('a'))();
      return (await hosts()).length === 0;
    });
    await database.query("insert into thermidor.worker values (gen_random_uuid(), 'away', clock_timestamp() - interval '9 min')");
    await server.kill('SIGKILL');
    await server.startAgain();
    await (await announcing(8000).announce('a'))();
    expect(await hosts()).toEqual(['away']);
  }, 60_000);

  test('no clock of a host counts', async () => {
    const place = await server.store();
    const records = postgresRecords(place);
    await take(records.slots, 1, 1);
    const presence = records.presence(() => undefined);
    const stop = await presence.announce('a');
    const [older, leaving] = [await records.handovers(), await records.handovers()];
    await leaving.handOver(['work']);
    for (const days of [-3, 3]) {
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + days * 86_400_000);
      const found = [await take(records.slots, 2, 1), await presence.isAlive('a'), await older.isForYounger('work')];
      clock.mockRestore();
      expect(found).toEqual([false, true, true]);
    }
    await stop();
  });

  test('names may be of any length and of any characters', async () => {
    const records = postgresRecords(await server.store());
    const odd = `\0\ud800'"$1${'é'.repeat(4096)}`;
    const long: SlotCall = { workflowId: 'w'.repeat(1000), run: 'r', step: `${odd}#1~1` };
    await records.slots.take(odd, call(1), 1);
    expect((await records.slots.take(odd, long, 1)).taken).toBe(false);
    expect(await records.slots.give(odd, call(1), 1)).toEqual([long]);
    expect((await records.slots.take(`${odd}.`, call(2), 1)).taken).toBe(true);
    await records.grants.add({ id: odd, project: odd, categories: ['deploy'], at: 'now', run: 'r' });
    expect([await records.grants.inForce(odd), await records.grants.inForce(`${odd}.`)]).toEqual([['deploy'], []]);
    const [older, leaving] = [await records.handovers(), await records.handovers()];
    await leaving.handOver([odd, odd, 'b']);
    expect([await older.isForYounger(odd), await older.isForYounger('b'), await older.isForYounger('c')]).toEqual([true, true, false]);
    await records.environments.write(long.workflowId, { env: { ODD: odd } });
    expect((await records.environments.callerOf(long.workflowId)).env).toEqual({ ODD: odd });
    const refused = records.refusedAnswers((message) => {
      throw new Error(message);
    });
    refused.add({ ...REFUSED, from: odd });
    await refused.written();
  });

  test('many places in line are taken in the order in which they came', async () => {
    const slots = postgresRecords(await server.store()).slots;
    await take(slots, 0, 1);
    const waiting = sweepCount(200, 1000);
    for (let n = 1; n <= waiting; n += 1) expect(await take(slots, n, 1)).toBe(false);
    for (let n = 0; n < 20; n += 1) {
      expect(await slots.give('demo', call(n), 1)).toEqual([call(n + 1)]);
      expect([await take(slots, n + 2, 1), await take(slots, n + 1, 1)]).toEqual([false, true]);
    }
  }, 30_000);

  test('without an environment of its own a run has the worker’s, without Thermidor’s variables', async () => {
    const environments = new EnvironmentRows(new Database(await server.store()), { PATH: '/bin', THERMIDOR_KEY: 'hush', NONE: undefined });
    expect(await environments.callerOf('p')).toEqual({ env: { PATH: '/bin' } });
  });

  test('is the same store from everywhere, with a key that is not in it', async () => {
    const place = await server.store();
    const [one, two] = [postgresRecords(place), postgresRecords({ ...place, url: place.url.replace('127.0.0.1', 'localhost') })];
    expect(await one.identity.storeId()).toMatch(/^postgres:[0-9a-f-]{36}$/);
    expect(await one.identity.storeId()).toBe(await two.identity.storeId());
    await expect(one.key()).rejects.toMatchObject({ code: 'secret.missing' });
    expect(await one.identity.installation()).toBe(await two.identity.installation());
  });

  test('tables that were made again under a working process are not used as if nothing had been done', async () => {
    const place = await server.store();
    const [busy, idle] = [postgresRecords(place), postgresRecords(place)];
    const key = { workflowId: 'p', run: 'first' };
    for (const { ledger } of [busy, idle]) await ledger.putIfAbsent(key, 'paid', 1);
    await new Database(place).query(`drop schema "${place.schema}" cascade`);
    await expect(busy.ledger.get(key, 'paid')).rejects.toMatchObject({ code: 'store.unavailable' });
    await migrateStore(place);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    for (const { ledger } of [busy, idle]) {
      await expect(ledger.get(key, 'paid')).rejects.toThrow(/was replaced by another while it was in use/);
    }
    clock.mockRestore();
    expect(await postgresRecords(place).ledger.get(key, 'paid')).toBeUndefined();
  });

  test('a user whose statements would not see what others have done is refused', async () => {
    const place = await server.store();
    const database = new Database(place);
    await database.query('alter role postgres set default_transaction_isolation to serializable');
    await expect(new Database(place).query('select')).rejects.toThrow(/begins transactions as "serializable"/);
    await database.query('alter role postgres reset default_transaction_isolation');
  });

  test('of refused answers it keeps the last ones', async () => {
    const place = await server.store();
    const refused = postgresRecords(place).refusedAnswers(() => undefined);
    for (let n = 0; n < 9; n += 1) {
      for (let k = 0; k < 900; k += 1) refused.add({ ...REFUSED, reason: `${n * 900 + k} ${'x'.repeat(1000)}` });
      await refused.written();
    }
    const kept = await new Database(place).query<{ answer: string }>('select answer from thermidor.refused_answer order by number');
    expect(kept).toHaveLength(5000);
    expect(JSON.parse(kept.at(-1)?.answer ?? '').reason).toMatch(/^8099 x{495}$/);
  });

  test('while it is away, refusals go on and are warned of once, hosts are unheard once, and all are alive when it is back', async () => {
    const place = await server.store();
    const records = postgresRecords(place);
    const [warnings, unheard] = [[] as string[], [] as string[]];
    const refused = records.refusedAnswers((message) => void warnings.push(message));
    const presence = records.presence((host) => void unheard.push(host), { deadAfterMs: 1000, everyMs: 20 });
    const stop = await presence.announce('a');
    const database = new Database(place);
    // A host that died before the database did.
    await database.query("insert into thermidor.worker values (gen_random_uuid(), 'dead', clock_timestamp() - interval '9 min')");
    const slots = new SlotRows(database, { lostMs: 3000, absentMs: 3000 });
    // A holder that died before the database did, and one that was woken before and did not come.
    await slots.take('dead', call(1), 1);
    await database.query("update thermidor.slot set kept_at = kept_at - interval '9 s' where fleet = $1", [keyDigest('dead')]);
    for (const n of [1, 2]) await slots.take('absent', call(n), 1);
    await slots.give('absent', call(1), 1);
    await database.query("update thermidor.place_in_line set woken_at = woken_at - interval '9 s'");
    await take(slots, 1, 1);
    await server.kill('SIGKILL');
    for (let n = 0; n < 2; n += 1) {
      refused.add(REFUSED);
      await refused.written();
    }
    await until(() => unheard.length > 0);
    expect([warnings, unheard]).toEqual([[expect.stringMatching(/^refused callbacks cannot be written to the table/)], ['a']]);
    await server.startAgain();
    // Nobody could give a sign of life for seconds.
    expect([await presence.isAlive('a'), await take(slots, 2, 1)]).toEqual([true, false]);
    expect([await presence.isAlive('dead'), (await slots.take('dead', call(2), 1)).taken]).toEqual([false, true]);
    expect((await slots.take('absent', call(3), 1)).taken).toBe(true);
    const transfer = databaseTransfer(place);
    expect(await transfer.hostsAtWork()).toEqual(['a']);
    await transfer.close();
    await stop();
    expect(await presence.isAlive('a')).toBe(false);
    refused.add(REFUSED);
    await refused.written();
    expect(warnings).toHaveLength(1);
  }, 60_000);
});

const REFUSED: RefusedAnswer = { at: '2026-01-01T00:00:00.000Z', status: 403, reason: 'no', way: 'link', from: 'a' };
