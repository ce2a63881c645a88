import { directoryRecords } from './directory/directory-records';
import type { PostgresPlace } from './postgres/postgres-place';
import { postgresRecords } from './postgres/postgres-records';
import type { Records } from './records';
import type { StoreKey } from './service-key';

/** Where records are. */
export interface StoreSettings {
  /** The state folder: the store, unless there is a database. */
  stateDir: string;
  postgres?: PostgresPlace;
  /** The key of a store on a database, which has none of its own. */
  key?: StoreKey;
}

/** The store that the settings name. A process opens it once. */
export function openRecords({ stateDir, postgres, key }: StoreSettings): Records {
  return postgres ? postgresRecords(postgres, key) : directoryRecords(stateDir);
}
