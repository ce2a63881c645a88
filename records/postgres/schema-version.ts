import { ThermidorFailure } from '../../plan/run/failure';
import { sqlState } from './database-problem';
import { type PostgresPlace, shownPlace } from './postgres-place';
import type { Sql } from './sql';

/** The number of the last file in `schema/`: the tables that this program reads and writes. */
export const SCHEMA_VERSION = 1;

/** The oldest server that has everything the statements use. */
const LEAST_SERVER = 13;

/** Fails with `store.unavailable` if tables cannot be kept there. */
export async function requireServer(sql: Sql, place: PostgresPlace): Promise<void> {
  const [found] = await sql.query<{ server: number; encoding: string; standby: boolean }>(LOOK_AT_SERVER);
  if (!found) return;
  const { server, encoding, standby } = found;
  if (server < LEAST_SERVER) throw refused(place, `is of PostgreSQL ${server}; ${LEAST_SERVER} or later is needed`);
  if (encoding !== 'UTF8') throw refused(place, `has the encoding ${encoding}; make one with UTF8`);
  if (standby) throw refused(place, STANDBY);
}

/**
 * Fails with `store.unavailable` if the tables are not those that this program knows.
 *
 * @returns the id of the store, which was made with its tables
 */
export async function requireSchema(sql: Sql, place: PostgresPlace): Promise<string> {
  const { standby, isolation, version, id } = await lookAtTables(sql, place);
  if (standby) throw refused(place, STANDBY);
  // Statements wait for each other, and then see what the other has done.
  if (isolation !== 'read committed') {
    throw refused(place, `begins transactions as "${isolation}"; set default_transaction_isolation of its user to "read committed"`);
  }
  if (version < SCHEMA_VERSION) {
    throw refused(place, `has tables of version ${version}, and this Thermidor needs ${SCHEMA_VERSION}; ${MIGRATE}`);
  }
  if (version > SCHEMA_VERSION) {
    throw refused(place, `has tables of version ${version}, and this Thermidor knows ${SCHEMA_VERSION}; use a newer Thermidor`);
  }
  return id;
}

/** A store whose tables were made anew, or put back from a copy of another, says that nothing has been done and paid for yet. */
export function requireSame(place: PostgresPlace, id: string, before: string | undefined): void {
  if (before !== undefined && before !== id) {
    throw refused(place, 'was replaced by another while it was in use; put it back, or stop the processes that use it');
  }
}

const MIGRATE = 'run `thermidor store migrate`';
const STANDBY = 'is a standby, which is read-only; use the primary';

interface Tables {
  standby: boolean;
  isolation: string;
  version: number;
  id: string;
}

async function lookAtTables(sql: Sql, place: PostgresPlace): Promise<Tables> {
  try {
    const [found] = await sql.query<Tables>(LOOK_AT_TABLES);
    if (found) return found;
  } catch (error) {
    if (!NO_TABLE.includes(sqlState(error) ?? '')) throw error;
  }
  throw refused(place, `has no tables; ${MIGRATE}`);
}

const NO_TABLE: readonly string[] = ['42P01', '3F000'];

const LOOK_AT_SERVER = `
select current_setting('server_version_num')::int / 10000 as server, current_setting('server_encoding') as encoding,
       pg_is_in_recovery() as standby`;

const LOOK_AT_TABLES = `
select pg_is_in_recovery() as standby, current_setting('default_transaction_isolation') as isolation,
       (select coalesce(max(version), 0) from thermidor.migration) as version, value as id
from thermidor.store where name = 'id'`;

/** 0 if there are no tables. */
export async function schemaVersion(sql: Sql): Promise<number> {
  const [table] = await sql.query<{ there: boolean }>(`select to_regclass('thermidor.migration') is not null as there`);
  if (!table?.there) return 0;
  const [found] = await sql.query<{ version: number }>('select coalesce(max(version), 0) as version from thermidor.migration');
  return found?.version ?? 0;
}

export function refused(place: PostgresPlace, what: string): ThermidorFailure {
  return new ThermidorFailure('store.unavailable', `the store ${shownPlace(place)} ${what}`, { store: shownPlace(place) });
}
