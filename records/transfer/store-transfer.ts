import type { StoreIdentity } from '../store-identity';
import type { StorePart } from './store-part';

/**
 * A store as one that moves an installation sees it: all that it keeps, whatever asks for it. No other process uses it meanwhile.
 *
 * It leaves out what means nothing in another store: slots and places in line, signs of life and handovers, which are of processes that
 * have ended; names of outputs for people; and the id of the store, by which two copies of one installation are told apart.
 */
export interface StoreTransfer {
  /** For people, without a password. */
  readonly shown: string;
  readonly identity: Pick<StoreIdentity, 'storeId' | 'knownInstallation' | 'installation'>;
  /** The hosts whose workers give signs of life. */
  hostsAtWork(): Promise<string[]>;
  /** Fails with `store.unavailable` if its place has something else. At most it makes empty tables. */
  check(as: 'from' | 'to'): Promise<void>;
  /** Every part. Fails with `store.unavailable` or `artifact.missing` if one is damaged. */
  parts(): AsyncIterable<StorePart>;
  /** Adds a part, whole or not at all, unless it has one of that name. It is durable once `settle` has returned. */
  add(part: StorePart): Promise<void>;
  /** Writes a part in the place of the one of its name. Durable once `settle` has returned. */
  replace(part: StorePart): Promise<void>;
  settle(): Promise<void>;
  /** Makes the store if it is not there, and makes it that installation's unless it has one. */
  join(installation: string): Promise<void>;
  /** The key that a folder has of its own; undefined if there is none. Secret. */
  key(): Promise<string | undefined>;
  /** A store without a key of its own takes none. */
  takeKey(key: string): Promise<void>;
  close(): Promise<void>;
}
