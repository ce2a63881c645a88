import { directoryRecords } from './directory/directory-records';
import type { PostgresPlace } from './postgres/postgres-place';
import { postgresRecords } from './postgres/postgres-records';
import type { Records } from './records';

/** Where records are. */
export interface StoreSettings {
  /** The state folder: the store, unless there is a database. */
  stateDir: string;
  postgres?: PostgresPlace;
}

/** The store that the settings name. A process opens it once. */
export function openRecords({ stateDir, postgres }: StoreSettings): Records {
  return postgres ? postgresRecords(postgres) : directoryRecords(stateDir);
}
