import { PostgresServer } from '../../bench/store/postgres-server';
import { ARTIFACT_LIMIT_BYTES, type ArtifactRef } from '../../plan/run/artifact';
import type { ArtifactStore } from '../../records/artifact-store';
import { openRecords } from '../../records/open-records';
import { Database } from '../../records/postgres/database';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import { codeOf, scratchFolder } from '../activities/workshop';
import { describeOnPostgres } from '../support/on-postgres';
import { until } from '../support/until';

/** Outputs on PostgreSQL: what its tables have after damage, races and crashes. */
const TEXT = { mediaType: 'text/plain' };
const MIB = 1024 * 1024;

describeOnPostgres('outputs on PostgreSQL', () => {
  let server: PostgresServer;
  let place: PostgresPlace;
  let database: Database;

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  beforeEach(async () => {
    place = await server.store();
    database = new Database(place);
  });
  afterEach(() => database.close());
  afterAll(() => server.stop());

  function artifacts(): ArtifactStore {
    return openRecords({ stateDir: scratchFolder(), postgres: place }).artifacts;
  }

  function large(text: string, sizeBytes = 3 * MIB + 5): Buffer {
    return Buffer.alloc(sizeBytes, text);
  }

  async function count(sql: string): Promise<number> {
    const [found] = await database.query<{ count: number }>(`select count(*)::int as count from ${sql}`);
    return found?.count ?? 0;
  }

  const unused = () => count('thermidor.content_chunk where upload not in (select upload from thermidor.content where upload is not null)');

  /** Lets time pass for a row. */
  async function age(ref: ArtifactRef): Promise<void> {
    await database.query(`update thermidor.content set put_at = put_at - interval '9 days' where encode(sha256, 'hex') = $1`, [ref.sha256]);
  }

  test('keeps the largest output there may be', async () => {
    const store = artifacts();
    const content = large('0123456', ARTIFACT_LIMIT_BYTES);
    const ref = await store.put(content, TEXT);
    expect(content.equals(await artifacts().get(ref))).toBe(true);
    expect(await count('thermidor.content_chunk')).toBe(64);
  });

  test('makes young again what is put again', async () => {
    const store = artifacts();
    for (const content of ['small', large('large')]) {
      await age(await store.put(content, TEXT));
      expect(await count(`thermidor.content where put_at < now() - interval '1 day'`)).toBe(1);
      await (typeof content === 'string' ? store.batch() : store).put(content as string, TEXT);
      expect(await count(`thermidor.content where put_at < now() - interval '1 day'`)).toBe(0);
    }
    expect(await count('thermidor.content')).toBe(2);
  });

  test('gives out no damaged output, and repairs it when it is put again', async () => {
    const store = artifacts();
    const damages: [string | Buffer, string][] = [
      ['small', `update thermidor.content set bytes = 'smell'`],
      [large('a'), `update thermidor.content_chunk set bytes = 'b' || substr(bytes, 2) where number = 1`],
      [large('a'), 'delete from thermidor.content_chunk where number = 1'],
      [large('a'), 'delete from thermidor.content_chunk where number = 3'],
      [large('a'), 'delete from thermidor.content_chunk'],
      [large('a'), 'update thermidor.content_chunk set number = number + 1 where number = 3'],
    ];
    for (const [content, damage] of damages) {
      await database.query('truncate thermidor.content, thermidor.content_chunk');
      const ref = await store.put(content, TEXT);
      await database.query(damage);
      expect(await codeOf(store.get(ref))).toBe('artifact.missing');
      await store.put(content, TEXT);
      expect(Buffer.from(content).equals(await store.get(ref))).toBe(true);
      expect(await unused()).toBe(0);
    }
  });

  test('has one copy of a large output that many put at once', async () => {
    const stores = [artifacts(), artifacts(), artifacts(), artifacts()];
    const [same, ...refs] = await Promise.all(
      stores.flatMap((store, n) => [store.put(large('same'), TEXT), store.put(large('same'), TEXT), store.put(large(`other ${n}`), TEXT)]),
    );
    expect(refs.filter((ref) => ref.sha256 === same?.sha256)).toHaveLength(7);
    expect([await count('thermidor.content'), await count('thermidor.content_chunk'), await unused()]).toEqual([5, 20, 0]);
  });

  test('is not kept waiting by a writer that has stopped in the middle of the same output', async () => {
    const content = large('same');
    const stopped = new Database(place);
    await stopped.transaction(async (sql) => {
      await sql.query('insert into thermidor.content_chunk (upload, number, bytes) values (gen_random_uuid(), 0, $1)', [content]);
      const ref = await artifacts().put(content, TEXT);
      expect((await artifacts().get(ref)).equals(content)).toBe(true);
    });
    await stopped.close();
  });

  test('puts small outputs while large ones are under way', async () => {
    const store = artifacts();
    let over = 0;
    const many = Array.from({ length: 8 }, async (_, n) => {
      await store.put(large(`large ${n}`), TEXT);
      over += 1;
    });
    await until(() => over > 0);
    await store.put('small', TEXT);
    expect(over).toBeLessThan(8);
    await Promise.all(many);
  });

  test('begins an upload again when its connection is ended, and leaves nothing of the first', async () => {
    const store = artifacts();
    const put = store.put(large('large', 12 * MIB), TEXT);
    const ended = () =>
      count(
        `(select pg_terminate_backend(pid) from pg_stat_activity where query like 'insert into "${place.schema}".content_chunk%') as x`,
      );
    await until(async () => (await ended()) > 0);
    const ref = await put;
    expect((await store.get(ref)).byteLength).toBe(12 * MIB);
    expect([await count('thermidor.content_chunk'), await unused()]).toEqual([12, 0]);
  });

  test('has every output that was put, and no part of others, when the server is killed and comes back', async () => {
    const store = artifacts();
    const put: ArtifactRef[] = [];
    const failed: unknown[] = [];
    let stopped = false;
    const writing = [0, 1, 2, 3].map(async (by) => {
      for (let n = 0; !stopped; n += 1) {
        const content = n % 4 === by ? large(`${by} ${n}`, 2 * MIB) : `${by} ${n}`;
        await store.put(content, TEXT).then(
          (ref) => put.push(ref),
          (error) => failed.push(error.code),
        );
      }
    });
    await until(() => put.length > 20);
    await server.kill('SIGKILL');
    await server.startAgain();
    const before = put.length;
    await until(() => put.length > before);
    stopped = true;
    await Promise.all(writing);
    for (const ref of put) expect((await store.get(ref)).byteLength).toBe(ref.sizeBytes);
    expect(failed.filter((code) => code !== 'store.unavailable')).toEqual([]);
    expect(await unused()).toBe(0);
  });

  test('has what a batch has put after a crash, from its sync on', async () => {
    const store = artifacts();
    const batch = store.batch();
    const refs: ArtifactRef[] = [];
    for (let n = 0; n < 50; n += 1) refs.push(await batch.put(`batch ${n}`, TEXT));
    await batch.sync();
    await server.kill('SIGKILL');
    await server.startAgain();
    expect(await Promise.all(refs.map((ref) => store.has(ref)))).toEqual(refs.map(() => true));
  });

  test('says that the store is unavailable, and not that an output is missing, while the server is away', async () => {
    const store = artifacts();
    const ref = await store.put('small', TEXT);
    await server.kill('SIGINT');
    expect(await Promise.all([codeOf(store.get(ref)), codeOf(store.has(ref)), codeOf(store.put('other', TEXT))])).toEqual([
      'store.unavailable',
      'store.unavailable',
      'store.unavailable',
    ]);
    await server.startAgain();
    expect((await store.get(ref)).toString()).toBe('small');
  });
});
