import { Database } from './database';
import { type PostgresPlace, shownPlace } from './postgres-place';
import { refused, requireSchema, requireServer, SCHEMA_VERSION } from './schema-version';

/** What an operator wants to know of a store that works. */
export interface StoreState {
  /** Without user and password. */
  store: string;
  /** The server's version, such as 18.4. */
  server: string;
  /** The version of the tables. */
  tables: number;
  /** One statement and its answer. */
  roundTripMs: number;
}

/** Fails with `store.unavailable` or `secret.missing` if a worker could not use the store. */
export async function storeState(place: PostgresPlace): Promise<StoreState> {
  const database = new Database(place, async (sql, at) => {
    await requireServer(sql, at);
    return await requireSchema(sql, at);
  });
  try {
    await requireRights(database);
    const [found] = await database.query<{ server: string }>(SERVER);
    const since = performance.now();
    await database.query<{ server: string }>(SERVER);
    const roundTripMs = performance.now() - since;
    return { store: shownPlace(database.at), server: found?.server ?? 'unknown', tables: SCHEMA_VERSION, roundTripMs };
  } finally {
    await database.close();
  }
}

const SERVER = `select split_part(current_setting('server_version'), ' ', 1) as server`;

/** Fails with `store.unavailable` if the tables cannot be written, or are not those that this program knows. */
async function requireRights(database: Database): Promise<void> {
  const [readOnly] = await database.query<{ yes: boolean }>(`select current_setting('transaction_read_only') = 'on' as yes`);
  if (readOnly?.yes) throw refused(database.at, 'is read-only: see default_transaction_read_only of its server, database and user');
  const lacking = await database.query<{ name: string }>(LACKING);
  if (lacking.length > 0) throw refused(database.at, `does not let this user write ${lacking.map(({ name }) => name).join(', ')}`);
}

const LACKING = `
  select relname as name from pg_class
   where relnamespace = (select relnamespace from pg_class where oid = 'thermidor.migration'::regclass)
     and relkind = 'r' and relname <> 'migration'
     and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
              and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
   order by relname`;
