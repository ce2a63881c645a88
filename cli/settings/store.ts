import { isSecretReference } from '../../plan/run/args';
import { isPostgresUrl, isSchemaName } from '../../records/postgres/postgres-place';
import { BUCKET_ADDRESS, bucketPlace } from '../../records/s3/bucket-place';
import { fitting, must, type Reader, text } from './fields';

export const STORE_ADDRESS = 'an address such as postgres://user@host:5432/database, or a reference secret://env/NAME to one';

export function isStoreAddress(value: string): boolean {
  return isSecretReference(value) || isPostgresUrl(value);
}

/** The database of all records. The value may have a password, so that a mistake never shows it. */
export const store: Reader<string> = must(STORE_ADDRESS, (value) =>
  typeof value === 'string' && isStoreAddress(value) ? value : undefined,
);

export const SCHEMA_NAME = 'a name of lower-case letters, digits and _, at most 63, that does not begin with a digit or pg_';

export const storeSchema: Reader<string> = fitting(text, SCHEMA_NAME, isSchemaName);

/** The bucket of outputs, plans and scripts. */
export const artifacts: Reader<string> = fitting(text, BUCKET_ADDRESS, isBucketAddress);

export function isBucketAddress(value: string): boolean {
  return bucketPlace(value) !== undefined;
}
