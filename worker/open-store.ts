import { LocalSecrets } from '../activities/adapters/secrets';
import type { CallbackSpec } from '../plan/run/services';
import { openRecords } from '../records/open-records';
import { DEFAULT_SCHEMA, type PostgresPlace } from '../records/postgres/postgres-place';
import type { Records } from '../records/records';
import { noKey, serviceKey } from '../records/service-key';

/** Where the records of runs are. */
export interface StoreOptions {
  /** Where this host keeps its own files, and the records too unless there is a `store`. */
  stateDir: string;
  /** `postgres://…`, or a reference to such an address. @default the state folder */
  store?: string;
  /** One installation's tables in that database. @default 'thermidor' */
  storeSchema?: string;
  /** `secret` is the key of a database's store. */
  callbacks?: CallbackSpec;
}

/** The database of these settings; undefined if records are in the state folder. */
export function databaseOf({ store, storeSchema = DEFAULT_SCHEMA }: StoreOptions): PostgresPlace | undefined {
  return store === undefined ? undefined : { url: store, schema: storeSchema, secrets: new LocalSecrets() };
}

/** The store of these settings. A process opens it once. */
export function openStore(options: StoreOptions): Records {
  const { stateDir, callbacks: { secret } = {} } = options;
  const postgres = databaseOf(options);
  if (postgres === undefined) return openRecords({ stateDir });
  return openRecords({ stateDir, postgres, key: () => serviceKey(noKey, new LocalSecrets(), secret) });
}
