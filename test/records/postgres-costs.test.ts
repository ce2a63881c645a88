import { PostgresServer } from '../../bench/store/postgres-server';
import { ACCOUNT, accountLog } from '../../records/accounts/account-log';
import { readCosts } from '../../records/accounts/read-costs';
import { readPaid } from '../../records/accounts/read-paid';
import { paidSums, sumOf } from '../../records/accounts/sum';
import type { RunKey } from '../../records/ledger';
import { openRecords } from '../../records/open-records';
import { Database } from '../../records/postgres/database';
import { EndedRows } from '../../records/postgres/ended-rows';
import { LogRows } from '../../records/postgres/log-rows';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import type { Records } from '../../records/records';
import type { EndedCost } from '../../records/runs/listed-end';
import { asJson } from '../../records/stored-json';
import { codeOf, scratchFolder } from '../activities/workshop';
import { describeOnPostgres } from '../support/on-postgres';
import { until } from '../support/until';

/** What runs cost, on PostgreSQL, as replies come while a run's end is noted. The sums are never short of a reply. */
const KEY: RunKey = { workflowId: 'run', run: 'first' };
const AT = '2026-01-01T00:00:00.000Z';
const END = {
  run: KEY.workflowId,
  firstRun: KEY.run,
  execution: 'last',
  pipeline: 'p',
  state: 'completed' as const,
  startedAt: AT,
  endedAt: AT,
};

describeOnPostgres('costs of runs on PostgreSQL', () => {
  let server: PostgresServer;
  let place: PostgresPlace;
  let records: Records;
  let database: Database;

  beforeAll(async () => {
    server = await PostgresServer.start({ settings: ['fsync=off'] });
  });
  beforeEach(async () => {
    place = await server.store();
    records = openRecords({ stateDir: scratchFolder(), postgres: place });
    database = new Database(place);
    await records.ledger.append(KEY, accountLog('x'), reply(1));
  });
  afterEach(() => database.close());
  afterAll(() => server.stop());

  async function costNow(): Promise<EndedCost> {
    const paid = await readPaid(records.runs, [KEY]);
    return { extent: await records.runs.extent(KEY, [ACCOUNT]), first: AT, last: AT, paid: paidSums(paid) };
  }

  async function expectAll(replies: number, left: readonly RunKey[]): Promise<void> {
    expect((await records.ended.costs(['day'])).left).toEqual(left);
    expect(sumOf(await readCosts(records, ['day']))).toMatchObject({ replies, costMicroUsd: 5 * replies });
  }

  /** Until another statement waits for what a transaction holds. */
  async function oneWaits(): Promise<void> {
    await until(async () => (await server.texts(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`)).length > 0);
  }

  test.each(['x', 'new'])('a reply that is not yet committed when the end is noted counts (account "%s")', async (call) => {
    const cost = await costNow();
    let noting: Promise<void> | undefined;
    await database.transaction(async (sql) => {
      await new LogRows(sql, KEY, accountLog(call)).add([reply(2)]);
      noting = records.ended.note(END, cost);
      await oneWaits();
    });
    await noting;
    await expectAll(2, [KEY]);
    await records.ended.note(END, await costNow());
    await expectAll(2, []);
  });

  test.each(['x', 'new'])('a reply that comes while the end is noted counts (account "%s")', async (call) => {
    const cost = await costNow();
    let adding: Promise<void> | undefined;
    await database.transaction(async (sql) => {
      await new EndedRows(sql).note(END, cost);
      adding = records.ledger.append(KEY, accountLog(call), reply(2));
      await oneWaits();
    });
    await adding;
    await expectAll(2, [KEY]);
  });

  test('the sums of a run are replaced with its next end, and left alone by a late word of an earlier one', async () => {
    await records.ended.note(END, await costNow());
    const early = await costNow();
    await records.ledger.append(KEY, accountLog('x'), reply(2));
    await records.ended.note({ ...END, endedAt: '2026-01-02T00:00:00.000Z' }, await costNow());
    await records.ended.note(END, early);
    await expectAll(2, []);
  });

  test('what a worker that has lost an account writes there changes nothing', async () => {
    const lost = await records.ledger.claim(KEY, accountLog('x'));
    const held = await records.ledger.claim(KEY, accountLog('x'));
    await held.append(reply(2));
    await records.ended.note(END, await costNow());
    expect(await codeOf(lost.append(reply(3)))).toBe('worker.lost');
    await expectAll(2, []);
    await held.note(reply(3));
    await expectAll(3, [KEY]);
  });

  function reply(n: number) {
    const usage = { inputTokens: n, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 5 };
    return asJson({
      kind: 'paid',
      at: AT,
      run: KEY.workflowId,
      pipeline: 'p',
      step: 's',
      call: 'x',
      agent: 'a',
      adapter: 'anthropic',
      usage,
    });
  }
});
