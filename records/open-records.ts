import { directoryRecords } from './directory/directory-records';
import type { PostgresPlace } from './postgres/postgres-place';
import { postgresRecords } from './postgres/postgres-records';
import type { Records } from './records';
import type { BucketPlace } from './s3/bucket-place';
import { withBucket } from './s3/with-bucket';
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
}

/** The store that the settings name. A process opens it once. */
export function openRecords({ stateDir, postgres, key, bucket }: StoreSettings): Records {
  const records = postgres ? postgresRecords(postgres, key) : directoryRecords(stateDir);
  return bucket ? withBucket(records, bucket) : records;
}
