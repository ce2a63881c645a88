import { PostgresServer } from '../../bench/store/postgres-server';
import { Database } from '../../records/postgres/database';
import { LogListening, logTopic } from '../../records/postgres/log-listening';
import { LogPieces } from '../../records/postgres/log-pieces';
import type { LogWatch } from '../../records/step-logs';
import { KEY } from '../activities/workshop';
import { describeOnPostgres } from '../support/on-postgres';
import { until } from '../support/until';

/** Followers of logs on PostgreSQL: they hear of lines, and look by themselves whenever that cannot be relied on. */
const NEVER = new AbortController().signal;
/** Longer than any test takes. */
const LONG_MS = 600_000;
const LISTENING = `select pid from pg_stat_activity where query like 'listen %'`;

/** Nothing is heard on it, as behind a pooler that lends connections for one transaction. */
const DEAF = { listen: async () => () => undefined, query: async () => [] };

describeOnPostgres('followers of logs on PostgreSQL', () => {
  let server: PostgresServer;
  let database: Database;
  let logs: LogPieces;
  let watch: LogWatch;

  beforeAll(async () => {
    server = await PostgresServer.start({ settings: ['fsync=off'] });
  });
  beforeEach(async () => {
    database = new Database(await server.store());
    logs = new LogPieces(database);
    watch = logs.watch(KEY);
    expect(watch.takeNews()).toBe(true);
  });
  afterEach(async () => {
    await watch.close();
    await database.close();
  });
  afterAll(() => server.stop());

  async function print(store = database): Promise<void> {
    const log = new LogPieces(store).open(KEY, 'a#1~1', { attempt: 1, trouble: () => undefined });
    log.add([{ at: '2026-01-01T00:00:00.000Z', from: 'stdout', text: 'x' }]);
    await log.close();
  }

  /** Until no look is due for a moment, which is so once the process hears itself. */
  async function heard(): Promise<void> {
    await until(() => !watch.takeNews());
  }

  test('a follower hears of lines that another process adds to its run', async () => {
    await heard();
    const other = new Database(database.at);
    await print(other);
    await other.close();
    await watch.wait(LONG_MS, NEVER);
    expect(watch.takeNews()).toBe(true);
  });

  test('when the connection is lost, a look is due at once, and later ones until another connection is heard', async () => {
    await heard();
    await server.texts(`select pg_terminate_backend(pid) from (${LISTENING}) as listening`);
    await watch.wait(LONG_MS, NEVER);
    expect([watch.takeNews(), watch.takeNews()]).toEqual([true, true]);
    await heard();
    await print();
    await watch.wait(LONG_MS, NEVER);
    expect(watch.takeNews()).toBe(true);
  });

  test('followers share a connection, which is there from the first to the last', async () => {
    const second = logs.watch({ ...KEY, run: 'second' });
    await heard();
    expect(await server.texts(LISTENING)).toHaveLength(1);
    await watch.close();
    await print();
    expect(await server.texts(LISTENING)).toHaveLength(1);
    await second.close();
    await until(async () => (await server.texts(LISTENING)).length === 0);
    watch = logs.watch(KEY);
    await heard();
  });
});

test('a follower hears of its own run alone, and what comes before it waits is not waited for', async () => {
  const said: ((text: string) => void)[] = [];
  const watch = new LogListening({
    listen: async (_channel, heard) => {
      said.push(heard);
      return () => undefined;
    },
    // As the database does, the process hears itself.
    query: async (_sql, values) => said.flatMap((heard) => heard(String(values?.[1])) ?? []),
  }).watch(KEY);
  await until(() => !watch.takeNews());
  for (const heard of said) heard(logTopic({ ...KEY, run: 'another' }));
  expect(watch.takeNews()).toBe(false);
  for (const heard of said) heard(logTopic(KEY));
  await watch.wait(LONG_MS, NEVER);
  expect(watch.takeNews()).toBe(true);
  await watch.close();
});

test('a follower that hears nothing looks each time', async () => {
  const watch = new LogListening(DEAF).watch(KEY);
  for (let n = 0; n < 3; n += 1) {
    expect(watch.takeNews()).toBe(true);
    await watch.wait(1, NEVER);
  }
  await watch.close();
});
