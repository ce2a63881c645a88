import { PostgresServer } from '../../bench/store/postgres-server';
import { openRecords } from '../../records/open-records';
import { Database } from '../../records/postgres/database';
import { LogPieces } from '../../records/postgres/log-pieces';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import type { LogEntry, LogLine, StepLogs } from '../../records/step-logs';
import { KEY, scratchFolder } from '../activities/workshop';
import { LossyNetwork } from '../support/lossy-network';
import { describeOnPostgres } from '../support/on-postgres';
import { until } from '../support/until';

/** Logs of steps on PostgreSQL: their size in rows, and what they have when the database is slow, away, or killed. */
const NAME = 'a#1~1';
const line = (text: string): LogLine => ({ at: '2026-01-01T00:00:00.000Z', from: 'stdout', text });

describeOnPostgres('logs on PostgreSQL', () => {
  let server: PostgresServer;
  let place: PostgresPlace;
  let database: Database;
  let troubles: string[];
  const options = { attempt: 1, trouble: (reason: string) => void troubles.push(reason) };

  beforeAll(async () => {
    server = await PostgresServer.start({ settings: ['fsync=off'] });
  });
  beforeEach(async () => {
    troubles = [];
    place = await server.store();
    database = new Database(place);
  });
  afterEach(() => database.close());
  afterAll(() => server.stop());

  async function read(logs: StepLogs, from?: number): Promise<LogEntry[]> {
    const found: LogEntry[] = [];
    for await (const entry of logs.read(KEY, NAME, from)) found.push(entry);
    return found;
  }

  function printed(entries: readonly LogEntry[]): string[] {
    return entries.flatMap((entry) => (entry.kind === 'line' && entry.from === 'stdout' ? [entry.text] : []));
  }

  async function pieces(): Promise<{ count: number; bytes: number }> {
    const [found] = await database.query<{ count: number; bytes: number }>(
      'select count(*)::int as count, coalesce(sum(length(bytes)), 0)::int as bytes from thermidor.step_log_piece',
    );
    return found ?? { count: 0, bytes: 0 };
  }

  test('keep the beginning and the end of what is too long, and say how much is missing between', async () => {
    const logs = new LogPieces(database, { headBytes: 2000, tailBytes: 2000 });
    for (let n = 0; n < 200; n += 1) {
      const log = logs.open(KEY, NAME, options);
      log.add([line(`line ${n}`)]);
      await log.close();
    }
    const all = await read(logs);
    const texts = printed(all);
    expect([texts[0], texts.at(-1), all.filter(({ kind }) => kind === 'gap').length]).toEqual(['line 0', 'line 199', 1]);
    expect((await pieces()).bytes).toBeLessThan(4200);
    for (const [n, { next }] of all.entries()) if (n % 5 === 0) expect(await read(logs, next)).toEqual(all.slice(n + 1));
    // Within the gap, as one who has followed the log for a while.
    expect(await read(logs, 3000)).toEqual([
      { ...all.find(({ kind }) => kind === 'gap'), bytes: expect.any(Number) },
      ...all.slice(all.findIndex(({ kind }) => kind === 'gap') + 1),
    ]);
  });

  test('write lines that come at once as few rows, and a large log in several', async () => {
    const logs = new LogPieces(database);
    const log = logs.open(KEY, NAME, options);
    for (let n = 0; n < 5000; n += 1) {
      log.add([line(`${n}`)]);
      if (n % 100 === 0) await new Promise(setImmediate);
    }
    await log.close();
    expect(printed(await read(logs))).toEqual(Array.from({ length: 5000 }, (_, n) => `${n}`));
    expect((await pieces()).count).toBeLessThan(20);
  });

  test('show a line to followers while the program still runs', async () => {
    const logs = new LogPieces(database);
    const log = logs.open(KEY, NAME, options);
    for (const text of ['one', 'two', 'three']) {
      log.add([line(text)]);
      await until(async () => printed(await read(logs)).at(-1) === text);
    }
    await log.close();
  });

  test('have each line once, and in order, when answers of the database are lost', async () => {
    const network = await LossyNetwork.start(server.port);
    const through = new Database({ ...place, url: place.url.replace(`:${server.port}`, `:${network.port}`) });
    const log = new LogPieces(through).open(KEY, NAME, options);
    const texts = Array.from({ length: 12 }, (_, n) => `${n}`);
    for (const text of texts) {
      log.add([line(text)]);
      await until(async () => printed(await read(new LogPieces(database))).includes(text));
    }
    await log.close();
    expect(printed(await read(new LogPieces(database)))).toEqual(texts);
    expect([network.met['answer-lost'] > 3, troubles]).toEqual([true, []]);
    await through.close();
    await network.stop();
  }, 60_000);

  test('continue after the server was killed: nothing twice, and of what was too much a note', async () => {
    const logs = openRecords({ stateDir: scratchFolder(), postgres: place }).logs;
    const log = logs.open(KEY, NAME, options);
    log.add([line('before')]);
    await until(async () => printed(await read(logs)).length > 0);
    await server.kill('SIGKILL');
    let added = 0;
    for (; !log.isBehind; added += 1) log.add([line(`${added} ${'x'.repeat(1000)}`)]);
    expect(added).toBeLessThan(1400);
    log.leftOut(12345);
    // One that never looks whether the writer is behind.
    for (let n = 0; n < 5000; n += 1) log.add([line('y'.repeat(1000))]);
    await until(() => troubles.length > 0);
    await server.startAgain();
    await until(async () => printed(await read(logs)).some((text) => text.startsWith(`${added - 1} `)));
    log.add([line('after')]);
    await until(async () => printed(await read(logs)).at(-1) === 'after');
    await log.close();
    const entries = await read(logs);
    const numbers = printed(entries).filter((text) => /^\d+ x/.test(text));
    expect(numbers.map((text) => Number.parseInt(text, 10))).toEqual(Array.from({ length: added }, (_, n) => n));
    const notes = entries.flatMap((entry) => (entry.kind === 'line' && entry.from === 'note' ? [entry.text] : []));
    // The crash may cost the first ones.
    expect(notes.slice(-2)).toEqual([
      expect.stringMatching(/^12345 bytes left out here/),
      expect.stringMatching(/^\d{6,} bytes left out here/),
    ]);
    expect(troubles).toEqual([expect.stringContaining('cannot be used: nothing listens there')]);
  }, 60_000);

  test('let a call end although the database is away', async () => {
    const logs = new LogPieces(database);
    await server.kill('SIGINT');
    const log = logs.open(KEY, NAME, options);
    log.add([line('one')]);
    const beganMs = performance.now();
    await log.close();
    expect(performance.now() - beganMs).toBeLessThan(3000);
    log.add([line('late')]);
    await until(() => troubles.length > 0);
    expect([troubles.length, log.isBehind]).toEqual([1, false]);
    await server.startAgain();
  }, 60_000);
});
