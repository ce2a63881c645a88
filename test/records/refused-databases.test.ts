import { PostgresServer } from '../../bench/store/postgres-server';
import { openRecords } from '../../records/open-records';
import { migrateStore } from '../../records/postgres/migrate-store';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import { requireServer, SCHEMA_VERSION } from '../../records/postgres/schema-version';
import type { Sql } from '../../records/postgres/sql';
import { storeState } from '../../records/postgres/store-state';
import { describeOnPostgres } from '../support/on-postgres';
import { quietPort } from '../support/quiet-port';

/** In each address; never in a message. */
const PASSWORD = 'not-for-eyes';
const KEY = async () => Buffer.alloc(32, 1);

test('a server that is too old is refused, before its tables are looked at', async () => {
  const sql = { query: async () => [{ server: 12, encoding: 'UTF8', standby: false }] } as unknown as Sql;
  await expect(requireServer(sql, { url: `postgres://a:${PASSWORD}@h/d`, schema: 'bad' })).rejects.toMatchObject({
    ...{ code: 'store.unavailable', message: 'the store postgres://h/d (schema bad) is of PostgreSQL 12; 13 or later is needed' },
  });
});

describeOnPostgres('a database that cannot be a store', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.run(
      ...['nobody', 'reader', 'frozen', 'guarded'].map((role) => `create role ${role} login password '${PASSWORD}'`),
      `alter role frozen set default_transaction_read_only = on`,
      `create database latin encoding 'LATIN1' template template0`,
      `create database bytes encoding 'SQL_ASCII' template template0`,
      `do $$ begin execute format('copy (values (%L), (%L)) to %L', 'host all guarded 127.0.0.1/32 scram-sha-256',
         'host all all 127.0.0.1/32 trust', current_setting('hba_file')); end $$`,
      'select pg_reload_conf()',
    );
  });
  afterAll(() => server.stop());

  async function tablesFor(role: string, rights: string): Promise<PostgresPlace> {
    const place = await server.store();
    await server.run(
      `grant usage on schema ${place.schema} to ${role}`,
      `grant ${rights} on all tables in schema ${place.schema} to ${role}`,
    );
    return server.place(place.schema, { who: `${role}:${PASSWORD}` });
  }

  async function tablesOf(version: number): Promise<PostgresPlace> {
    const place = await server.store();
    const table = `${place.schema}.migration`;
    await server.run(`delete from ${table}`, `insert into ${table} (version, file) values (${version}, 'x.sql')`);
    return place;
  }

  const at = (who: string, database = 'postgres', search = ''): PostgresPlace => {
    const place = server.place('bad', { who: `${who}:${PASSWORD}`, database });
    return { ...place, url: `${place.url}${search}` };
  };
  const secret = (resolve: () => Promise<string>): PostgresPlace => ({ url: 'secret://env/STORE', schema: 'bad', secrets: { resolve } });

  test.each<[string, () => PostgresPlace | Promise<PostgresPlace>, RegExp]>([
    ['has no tables', () => at('postgres'), /has no tables; run `thermidor store migrate`/],
    ['has older tables', () => tablesOf(SCHEMA_VERSION - 1), /run `thermidor store migrate`/],
    ['has newer tables', () => tablesOf(SCHEMA_VERSION + 1), /use a newer Thermidor/],
    ['gives its schema to others', async () => ({ ...at('nobody'), schema: (await server.store()).schema }), /this user may not/],
    ['may only be read', () => tablesFor('reader', 'select'), /does not let this user write .*\brecord\b/],
    ['is read-only', () => tablesFor('frozen', 'all'), /is read-only/],
    ['has another encoding', () => at('postgres', 'latin'), /encoding LATIN1; make one with UTF8/],
    ['knows bytes alone', () => at('postgres', 'bytes'), /encoding SQL_ASCII; make one with UTF8/],
    ['is not there', () => at('postgres', 'nowhere'), /there is no such database/],
    ['has another password', () => server.place('bad', { who: `guarded:other-${PASSWORD}` }), /the password is wrong/],
    ['wants a password', () => server.place('bad', { who: 'guarded' }), /the password is missing or wrong/],
    ['speaks no TLS', () => at('postgres', 'postgres', '?sslmode=require'), /speaks no TLS/],
    ['has no certificate', () => at('postgres', 'postgres', '?sslmode=verify-full&sslrootcert=/no.pem'), /the file \/no\.pem, which/],
    ['is of another sort', () => secret(async () => `mysql://a:${PASSWORD}@h/d`), /secret:\/\/env\/STORE \(schema bad\) is not an address/],
    ['has an address that cannot be decoded', () => secret(async () => `postgres://a:${PASSWORD}%zz@h/d`), /is not an address/],
    ['is down', async () => ({ url: `postgres://a:${PASSWORD}@127.0.0.1:${await quietPort()}/d`, schema: 'bad' }), /nothing listens there/],
    ['is on no host', () => ({ url: `postgres://a:${PASSWORD}@no-host.invalid/d`, schema: 'bad' }), /host/],
  ])('that %s is refused in one line, without the password', async (_, place, says) => {
    const database = await place();
    const records = openRecords({ stateDir: '/nowhere', postgres: database, key: KEY });
    for (const refused of [() => records.ready(), () => storeState(database)]) {
      const error: unknown = await refused().then(
        () => undefined,
        (problem: unknown) => problem,
      );
      expect(error).toMatchObject({ code: 'store.unavailable', message: expect.stringMatching(says) });
      const { message, stack, details } = error as Error & { details?: unknown };
      expect(message).not.toContain('\n');
      expect(JSON.stringify([message, stack, details])).not.toContain(PASSWORD);
    }
  });

  test('a worker needs to read and write the tables, and nothing else', async () => {
    await server.run(`create role worker login password '${PASSWORD}'`);
    const records = openRecords({ stateDir: '/nowhere', postgres: await tablesFor('worker', 'select, insert, update, delete'), key: KEY });
    await records.ready();
    const grant = { id: 'g', project: 'p', categories: ['deploy'], at: '2026-11-29T10:00:00.000Z', run: 'r', by: 'ann' } as const;
    await records.grants.add({ ...grant, categories: [...grant.categories] });
    await records.ledger.append({ workflowId: 'r', run: 'first' }, 'log', 0, 'line');
    const ref = await records.artifacts.put('one', { mediaType: 'text/plain', name: 'one.txt' });
    expect([await records.grants.inForce('p'), (await records.artifacts.get(ref)).toString()]).toEqual([['deploy'], 'one']);
  });

  test('of two installations each has its own tables', async () => {
    const [one, other] = [await server.store(), await server.store()];
    const open = (postgres: PostgresPlace) => openRecords({ stateDir: '/nowhere', postgres, key: KEY });
    await open(one).ledger.putIfAbsent({ workflowId: 'r', run: 'first' }, 'a', 1);
    expect(await open(other).ledger.get({ workflowId: 'r', run: 'first' }, 'a')).toBeUndefined();
    expect(await open(one).ledger.get({ workflowId: 'r', run: 'first' }, 'a')).toBe(1);
  });

  test('tables are made once, and a newer or unfit database is left as it is', async () => {
    const place = server.place('made_once');
    expect((await migrateStore(place)).applied).toContain('001-ports.sql');
    expect(await migrateStore(place)).toEqual({ store: `postgres://127.0.0.1:${server.port}/postgres (schema made_once)`, applied: [] });
    await expect(migrateStore(await tablesOf(SCHEMA_VERSION + 1))).rejects.toMatchObject({ code: 'store.unavailable' });
    await expect(migrateStore(at('postgres', 'latin'))).rejects.toMatchObject({ message: expect.stringContaining('LATIN1') });
    await expect(migrateStore(at('nobody'))).rejects.toMatchObject({ message: expect.stringContaining('this user may not') });
  });

  test('a store without a configured key seals nothing', async () => {
    const records = openRecords({ stateDir: '/nowhere', postgres: await server.store() });
    await expect(records.ready()).rejects.toMatchObject({ code: 'secret.missing', message: expect.stringContaining('callbacks.secret') });
    await expect(records.key()).rejects.toMatchObject({ code: 'secret.missing' });
  });
});
