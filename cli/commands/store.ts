import { migrateStore } from '../../records/postgres/migrate-store';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import { SCHEMA_VERSION } from '../../records/postgres/schema-version';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { databaseOfSettings } from '../settings/records';
import { configurationOf } from '../settings/settings';

/** Creates the tables of the configured database, or brings them to the version of this program. Fails with `store.unavailable`. */
export async function migrate(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const { store, applied } = await migrateStore(databaseIn(invocation));
  if (options.flag('json')) terminal.out(`${JSON.stringify({ store, version: SCHEMA_VERSION, applied }, null, 2)}\n`);
  else if (applied.length === 0) terminal.out(`nothing to do: ${store} has tables of version ${SCHEMA_VERSION}\n`);
  else for (const file of applied) terminal.out(`${terminal.colors.green('✓')} applied ${file} to ${store}\n`);
  return EXIT.done;
}

function databaseIn(invocation: Invocation): PostgresPlace {
  const place = databaseOfSettings(configurationOf(invocation));
  if (place) return place;
  throw usage('the store is the state folder, which has no tables', 'set `store: postgres://…` in thermidor.yaml, or THERMIDOR_STORE');
}
