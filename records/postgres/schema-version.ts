import { ThermidorFailure } from '../../plan/run/failure';
import type { Sql } from './database';
import { type PostgresPlace, shownPlace } from './postgres-place';

/** The number of the last file in `schema/`: the tables that this program reads and writes. */
export const SCHEMA_VERSION = 3;

/** The oldest server that has everything the statements use. */
const LEAST_SERVER = 13;

interface Found {
  server: number;
  encoding: string;
  standby: boolean;
}

/** Fails with `store.unavailable` if the tables are not those that this program knows. */
export async function requireSchema(sql: Sql, place: PostgresPlace): Promise<void> {
  const [found] = await sql.query<Found>(
    `select current_setting('server_version_num')::int / 10000 as server, current_setting('server_encoding') as encoding,
            pg_is_in_recovery() as standby`,
  );
  if (found && found.server < LEAST_SERVER) throw refused(place, `is of PostgreSQL ${found.server}; ${LEAST_SERVER} or later is needed`);
  if (found && found.encoding !== 'UTF8') throw refused(place, `has the encoding ${found.encoding}; make one with UTF8`);
  if (found?.standby) throw refused(place, 'is a standby, which is read-only; use the primary');
  const version = await schemaVersion(sql);
  if (version < SCHEMA_VERSION) {
    const what = version === 0 ? 'has no tables' : `has tables of version ${version}, and this Thermidor needs ${SCHEMA_VERSION}`;
    throw refused(place, `${what}; run \`thermidor store migrate\``);
  }
  if (version > SCHEMA_VERSION) {
    throw refused(place, `has tables of version ${version}, and this Thermidor knows ${SCHEMA_VERSION}; use a newer Thermidor`);
  }
}

/** 0 if there are no tables. */
export async function schemaVersion(sql: Sql): Promise<number> {
  const [table] = await sql.query<{ there: boolean }>(`select to_regclass('thermidor.migration') is not null as there`);
  if (!table?.there) return 0;
  const [found] = await sql.query<{ version: number }>('select coalesce(max(version), 0) as version from thermidor.migration');
  return found?.version ?? 0;
}

function refused(place: PostgresPlace, what: string): ThermidorFailure {
  return new ThermidorFailure('store.unavailable', `the store ${shownPlace(place)} ${what}`, { store: shownPlace(place) });
}
