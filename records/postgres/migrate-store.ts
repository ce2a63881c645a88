import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from './database';
import { type PostgresPlace, shownPlace } from './postgres-place';
import { requireSchema, requireServer, schemaVersion } from './schema-version';

/**
 * Brings the tables of a store to the version that this program knows. Each file of `schema/` is applied once, in a transaction of its own;
 * if several migrate at once, one does and the others wait. Fails with `store.unavailable`, also if the tables are newer.
 *
 * @returns the files that were applied, and the store without its password
 */
export async function migrateStore(place: PostgresPlace): Promise<{ store: string; applied: string[] }> {
  const database = new Database(place, async () => '');
  try {
    const applied: string[] = [];
    for (const { version, file, text } of migrations()) {
      const isApplied = await database.transaction(async (sql) => {
        // One for the whole database: two installations may be set up at once, too.
        await sql.query('select pg_advisory_xact_lock($1)', [MIGRATING]);
        await requireServer(sql, database.at);
        if ((await schemaVersion(sql)) >= version) return false;
        await sql.script(version === 1 ? `create schema if not exists "${place.schema}"; ${MIGRATIONS}; ${text}` : text);
        await sql.query('insert into thermidor.migration (version, file) values ($1, $2)', [version, file]);
        return true;
      });
      if (isApplied) applied.push(file);
    }
    await database.transaction((sql) => requireSchema(sql, database.at));
    return { store: shownPlace(database.at), applied };
  } finally {
    await database.close();
  }
}

/** Any number that no other program uses for its locks. */
const MIGRATING = 7_436_372_011;

const MIGRATIONS = `
create table if not exists thermidor.migration (
  version int primary key,
  file text not null,
  applied_at timestamptz not null default clock_timestamp()
)`;

/** `001-ports.sql` is version 1. */
function migrations(): { version: number; file: string; text: string }[] {
  const folder = join(__dirname, 'schema');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return files.sort().map((file) => ({ version: Number.parseInt(file, 10), file, text: readFileSync(join(folder, file), 'utf8') }));
}
