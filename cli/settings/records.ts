import { defined } from '../../plan/defined';
import { type PostgresPlace, shownPlace } from '../../records/postgres/postgres-place';
import type { Records } from '../../records/records';
import { databaseOf, openStore, type StoreOptions } from '../../worker/open-store';
import type { Configuration } from './configuration';
import { keyRingOfSettings } from './key-ring';

export type StoreConfiguration = Pick<
  Configuration,
  'root' | 'stateDir' | 'store' | 'storeSchema' | 'artifacts' | 'callbacks' | 'encryption'
>;

const opened = new Map<string, Records>();

/** The store of the runs. A process opens it once. */
export function recordsOf(configuration: StoreConfiguration): Records {
  keyRingOfSettings(configuration);
  const options = storeOptions(configuration);
  const { stateDir, store, storeSchema, artifacts, encryption } = options;
  const name = JSON.stringify([store ?? stateDir, storeSchema, artifacts, encryption]);
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

export function storeOptions({ stateDir, store, storeSchema, artifacts, callbacks, encryption }: StoreConfiguration): StoreOptions {
  return {
    stateDir: stateDir.value,
    storeSchema: storeSchema.value,
    callbacks: callbacks.value,
    ...defined({ store: store.value, artifacts: artifacts.value, encryption: encryption.value }),
  };
}
