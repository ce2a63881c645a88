import { defined } from '../../plan/defined';
import { type PostgresPlace, shownPlace } from '../../records/postgres/postgres-place';
import type { Records } from '../../records/records';
import { databaseOf, openStore, type StoreOptions } from '../../worker/open-store';
import type { Configuration } from './configuration';

export type StoreConfiguration = Pick<Configuration, 'stateDir' | 'store' | 'storeSchema' | 'artifacts' | 'callbacks'>;

const opened = new Map<string, Records>();

/** The store of the runs. A process opens it once. */
export function recordsOf(configuration: StoreConfiguration): Records {
  const options = storeOptions(configuration);
  const name = JSON.stringify([options.store ?? options.stateDir, options.storeSchema, options.artifacts]);
  const records = opened.get(name) ?? openStore(options);
  opened.set(name, records);
  return records;
}

/** The database of the runs; undefined if they are in the state folder. */
export function databaseOfSettings(configuration: StoreConfiguration): PostgresPlace | undefined {
  return databaseOf(storeOptions(configuration));
}

/** Where the records are, for people. */
export function shownStore(configuration: StoreConfiguration): string {
  const database = databaseOfSettings(configuration);
  return database === undefined ? configuration.stateDir.value : shownPlace(database);
}

export function storeOptions({ stateDir, store, storeSchema, artifacts, callbacks }: StoreConfiguration): StoreOptions {
  return {
    stateDir: stateDir.value,
    storeSchema: storeSchema.value,
    callbacks: callbacks.value,
    ...defined({ store: store.value, artifacts: artifacts.value }),
  };
}
