import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig, Pool, PoolConfig } from 'pg';
import { ThermidorFailure } from '../../plan/run/failure';
import { isPassing, reasonOf, sqlState } from './database-problem';
import { FEWEST_CONNECTIONS, poolSize } from './pool-size';
import { type PostgresPlace, resolvedPlace, shownPlace } from './postgres-place';
import { requireSame, requireSchema } from './schema-version';
import type { Sql, SqlValue } from './sql';

/**
 * A database as the ports use it: a pool of connections, opened by the first statement.
 *
 * A statement may be executed twice, because its answer can be lost after it was committed; it is repeated for a few seconds while the
 * database is away. So a port makes sure that the second time changes nothing. Fails with `store.unavailable`, which never names the
 * password.
 */
export class Database {
  private pool: Promise<Pool> | undefined;
  private connections = FEWEST_CONNECTIONS;
  private checkedMs = Number.NEGATIVE_INFINITY;
  private looking: Promise<void> | undefined;
  private id: string | undefined;
  private readonly texts = new Map<string, { name: string; text: string }>();

  /** @param check looks at the tables before they are used, and returns the id of the store */
  constructor(
    private place: PostgresPlace,
    private readonly check: (sql: Sql, place: PostgresPlace) => Promise<string> = requireSchema,
  ) {}

  /** A reference is resolved by the first statement. */
  get at(): PostgresPlace {
    return this.place;
  }

  /** Its pool becomes one for a worker. @param places steps at once */
  async serve(places: number): Promise<void> {
    this.connections = poolSize(places);
    const pool = await this.pool;
    if (pool) pool.options.max = this.connections;
  }

  async query<Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    await this.checked();
    return await this.patiently((pool) => this.on(pool).query<Row>(sql, values));
  }

  /** Several statements in one transaction, which is repeated as a whole. */
  async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    await this.checked();
    return await this.patiently(async (pool) => {
      const client = await pool.connect();
      let broken: Error | undefined;
      const breaks = (problem: Error): void => {
        broken = problem;
      };
      // A connection may break between two statements, too. Without a listener that would end the process.
      client.on('error', breaks);
      try {
        await client.query('begin');
        const done = await work(this.on(client));
        await client.query('commit');
        return done;
      } catch (error) {
        await client.query('rollback').catch(breaks);
        throw error;
      } finally {
        client.off('error', breaks);
        client.release(broken);
      }
    });
  }

  /**
   * A connection of its own, on which `heard` gets what is notified on a channel. Fails as the driver does.
   *
   * @param lost is called when nothing is heard any more; it may be called again
   * @returns ends it
   */
  async listen(channel: string, heard: (text: string) => void, lost: () => void): Promise<() => void> {
    await this.checked();
    const { default: pg } = await import('pg');
    const client = new pg.Client(connectionTo(this.place));
    client.on('error', lost).on('end', lost);
    client.on('notification', ({ payload = '' }) => heard(payload));
    // Nobody waits for the end: a server that has gone silent never says it.
    const end = (): void => void client.end().catch(lost);
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  /** Ends the connections; the next statement opens new ones. */
  async close(): Promise<void> {
    const pool = this.pool;
    this.pool = undefined;
    await (await pool)?.end();
  }

  /** A reference is resolved by the first statement; if that fails, by the next. */
  private async open(): Promise<Pool> {
    try {
      this.place = await resolvedPlace(this.place);
      return await openPool(this.place, this.connections);
    } catch (error) {
      this.pool = undefined;
      throw error;
    }
  }

  /** Looks again now and then, because the store may be replaced under a working process. */
  private async checked(): Promise<void> {
    if (performance.now() - this.checkedMs < CHECKED_FOR_MS) return;
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
    });
    await this.looking;
  }

  private async look(): Promise<void> {
    const id = await this.patiently((pool) => this.check(this.on(pool), this.place));
    requireSame(this.place, id, this.id);
    this.id = id;
    this.checkedMs = performance.now();
  }

  private on(connection: Pick<Pool, 'query'>): Sql {
    return {
      query: async (sql, values = []) => (await connection.query({ ...this.prepared(sql), values: [...values] })).rows,
      script: async (sql) => void (await connection.query(inSchema(sql, this.place.schema))),
    };
  }

  /** Each statement is parsed once by each connection. */
  private prepared(sql: string): { name: string; text: string } {
    const known = this.texts.get(sql);
    if (known) return known;
    const made = { name: `t${this.texts.size + 1}`, text: inSchema(sql, this.place.schema) };
    this.texts.set(sql, made);
    return made;
  }

  private async patiently<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.pool ??= this.open();
        return await work(await this.pool);
      } catch (error) {
        if (error instanceof ThermidorFailure) throw error;
        if (attempt >= ATTEMPTS || !isPassing(error)) throw problemOf(this.place, error);
        await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random()));
      }
    }
  }
}

/** With their pauses three seconds on average: what takes longer is left to the retries of the activity. */
const ATTEMPTS = 12;
/** A connection that broke, as behind a balancer, needs no pause: the next one works. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 400;

/** A look is one more round trip. */
const CHECKED_FOR_MS = 1000;

/** A statement of ours takes milliseconds. */
const STATEMENT_MS = 30_000;
const CONNECT_MS = 10_000;

function connectionTo(place: PostgresPlace): ClientConfig {
  return {
    connectionString: withOneMode(place.url),
    application_name: 'thermidor',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    keepAlive: true,
  };
}

async function openPool(place: PostgresPlace, max: number): Promise<Pool> {
  const { default: pg } = await import('pg');
  const config: PoolConfig = {
    ...connectionTo(place),
    max,
    // A command ends although connections are open.
    allowExitOnIdle: true,
  };
  const pool = new pg.Pool(config);
  // An idle connection that ends is replaced by the next statement; without a listener its error would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/** The driver checks a certificate in all of these modes, and prints a warning for all but the last. */
function withOneMode(url: string): string {
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/** The same text for the schema that is set up. Values are never part of a text. */
function inSchema(sql: string, schema: string): string {
  return sql.replaceAll(/\bthermidor\./g, `"${schema}".`);
}

function problemOf(place: PostgresPlace, error: unknown): Error {
  const reason = reasonOf(error);
  // What is neither the database's nor the network's is a defect of ours.
  if (reason === undefined) return error instanceof Error ? error : new Error(String(error));
  return new ThermidorFailure('store.unavailable', `the store ${shownPlace(place)} cannot be used: ${reason}`, {
    store: shownPlace(place),
    reason: sqlState(error) ?? 'connection',
  });
}
