import { directoryRecords } from './directory/directory-records';
import type { PostgresPlace } from './postgres/postgres-place';
import { postgresRecords } from './postgres/postgres-records';
import type { Records } from './records';
import type { BucketPlace } from './s3/bucket-place';
import { withBucket } from './s3/with-bucket';
import { KeyRing } from './sealing/key-ring';
import { withSealing } from './sealing/sealed-records';
import type { StoreKey } from './service-key';

/** Where records are. */
export interface StoreSettings {
  /** The state folder: the store, unless there is a database. */
  stateDir: string;
  postgres?: PostgresPlace;
  /** The key of a store on a database, which has none of its own. */
  key?: StoreKey;
  /** Where outputs and control content are instead. */
  bucket?: BucketPlace;
  /** What content is sealed with. @default nothing is */
  keys?: KeyRing;
  /** Whether a state folder's is, too. @default true */
  sealFolder?: boolean;
}

/** The store that the settings name. A process opens it once. */
export function openRecords({ stateDir, postgres, key, bucket, keys = new KeyRing(), sealFolder = true }: StoreSettings): Records {
  const ring = postgres || sealFolder ? keys : keys.readOnly();
  const records = withSealing(postgres ? postgresRecords(postgres, key, ring) : directoryRecords(stateDir, ring), ring);
  return bucket ? withBucket(records, bucket, keys) : records;
}
