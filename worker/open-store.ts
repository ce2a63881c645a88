import { LocalSecrets } from '../activities/adapters/secrets';
import { defined } from '../plan/defined';
import { ThermidorFailure } from '../plan/run/failure';
import type { CallbackSpec, EncryptionSpec } from '../plan/run/services';
import { openRecords } from '../records/open-records';
import { DEFAULT_SCHEMA, type PostgresPlace } from '../records/postgres/postgres-place';
import type { Records } from '../records/records';
import { BUCKET_ADDRESS, type BucketPlace, bucketPlace } from '../records/s3/bucket-place';
import { noKey, serviceKey } from '../records/service-key';
import { keyRingOf } from './key-ring';

/** Where the records of runs are. */
export interface StoreOptions {
  /** Where this host keeps its own files, and the records too unless there is a `store`. */
  stateDir: string;
  /** `postgres://…`, or a reference to such an address. @default the state folder */
  store?: string;
  /** One installation's tables in that database. @default 'thermidor' */
  storeSchema?: string;
  /** `s3://bucket/prefix`: outputs, plans and scripts are there instead. */
  artifacts?: string;
  /** `secret` is the key of a database's store. */
  callbacks?: CallbackSpec;
  /** @default nothing is sealed */
  encryption?: EncryptionSpec;
}

/** The database of these settings; undefined if records are in the state folder. */
export function databaseOf({ store, storeSchema = DEFAULT_SCHEMA }: StoreOptions): PostgresPlace | undefined {
  return store === undefined ? undefined : { url: store, schema: storeSchema, secrets: new LocalSecrets() };
}

/** Fails with `store.unavailable` if it is no address of a bucket. */
export function bucketOf({ artifacts }: Pick<StoreOptions, 'artifacts'>): BucketPlace | undefined {
  if (artifacts === undefined) return undefined;
  const place = bucketPlace(artifacts);
  if (place) return place;
  throw new ThermidorFailure('store.unavailable', `artifacts must be ${BUCKET_ADDRESS}`);
}

/** The store of these settings. A process opens it once. */
export function openStore(options: StoreOptions): Records {
  const { stateDir, callbacks: { secret } = {}, encryption } = options;
  const postgres = databaseOf(options);
  const sealing = { keys: keyRingOf(encryption), ...defined({ sealFolder: encryption?.folder }) };
  const place = { stateDir, ...sealing, ...defined({ bucket: bucketOf(options) }) };
  if (postgres === undefined) return openRecords(place);
  return openRecords({ ...place, postgres, key: () => serviceKey(noKey, new LocalSecrets(), secret) });
}
