import type { CallbackSpec } from '../../plan/run/services';
import { DEFAULT_SCHEMA, isSchemaName } from '../../records/postgres/postgres-place';
import { BUCKET_ADDRESS } from '../../records/s3/bucket-place';
import { CommandFailure, EXIT } from '../exit';
import { relativePath } from '../relative-path';
import type { ProcessSurroundings, Setting } from './setting';
import { SETTINGS_FILE, type SettingsFile, settingsMistake } from './settings-file';
import { isBucketAddress, isStoreAddress, SCHEMA_NAME, STORE_ADDRESS } from './store';

export interface StoreSettings {
  /** The database of all records, which may have a password or be a reference; absent: they are in the state folder. */
  store: Setting<string | undefined>;
  /** One installation's tables in the database. */
  storeSchema: Setting<string>;
  /** The bucket of outputs, plans and scripts; absent: they are in the store. */
  artifacts: Setting<string | undefined>;
}

interface WithKey extends Pick<StoreSettings, 'store'> {
  root: string;
  callbacks: Setting<CallbackSpec>;
}

/** `THERMIDOR_STORE`, `THERMIDOR_STORE_SCHEMA` and `THERMIDOR_ARTIFACTS` win over the file at `path`. */
export function storeSettings(
  file: Pick<SettingsFile, 'store' | 'store_schema' | 'artifacts'>,
  path: string,
  { cwd }: ProcessSurroundings,
  variable: (name: string) => Setting<string> | undefined,
): StoreSettings {
  const inFile = (value: string | undefined): Setting<string> | undefined => (value === undefined ? undefined : { value, source: path });
  const store = variable('THERMIDOR_STORE');
  const schema = variable('THERMIDOR_STORE_SCHEMA');
  if (store && !isStoreAddress(store.value)) throw invalid(`THERMIDOR_STORE must be ${STORE_ADDRESS}`);
  if (schema && !isSchemaName(schema.value)) throw invalid(`THERMIDOR_STORE_SCHEMA must be ${SCHEMA_NAME}`);
  const artifacts = variable('THERMIDOR_ARTIFACTS');
  if (artifacts && !isBucketAddress(artifacts.value)) throw invalid(`THERMIDOR_ARTIFACTS must be ${BUCKET_ADDRESS}`);
  const found = { store: store ?? inFile(file.store), schema: schema ?? inFile(file.store_schema) };
  if (found.schema && !found.store) {
    const says = 'names tables of a database, and no "store" is set';
    if (found.schema.source !== path) throw invalid(`THERMIDOR_STORE_SCHEMA ${says}`);
    throw settingsMistake(path, relativePath(path, cwd), { path: 'store_schema', ofKey: true, says: `"store_schema" ${says}` });
  }
  return {
    store: found.store ?? { value: undefined, source: 'default: the state folder' },
    storeSchema: found.schema ?? { value: DEFAULT_SCHEMA, source: 'default' },
    artifacts: artifacts ?? inFile(file.artifacts) ?? { value: undefined, source: 'default: the store' },
  };
}

/** Fails if records are in a database, and the key that all hosts share is not set. */
export function requireSharedKey({ store, callbacks, root }: WithKey): void {
  if (store.value === undefined || callbacks.value.secret !== undefined) return;
  const says = 'a store on PostgreSQL needs "callbacks.secret", the key that all hosts share';
  const hint = `set it to secret://env/THERMIDOR_KEY, and that variable on every host to one value: openssl rand -hex 32`;
  if (!store.source.endsWith(SETTINGS_FILE)) throw new CommandFailure(EXIT.usage, 'settings.invalid', `${store.source}: ${says}`, { hint });
  throw settingsMistake(store.source, relativePath(store.source, root), { path: 'store', ofKey: true, says, hint });
}

function invalid(message: string): CommandFailure {
  return new CommandFailure(EXIT.usage, 'settings.invalid', message);
}
