import { ThermidorFailure } from '../plan/run/failure';

/**
 * The key of a store, 32 bytes, made by the first who asks. It enters neither history nor a log.
 *
 * Requires of the store: create-if-absent, read-after-write. Fails with `store.unavailable`.
 */
export type StoreKey = () => Promise<Buffer>;

/** As much of `Secrets` as a key needs. */
interface SecretReader {
  resolve(reference: string): Promise<string>;
}

const LEAST_SECRET_CHARACTERS = 32;

/**
 * The key that workers and the listener share: what they seal decisions with, and what the keys of gates are made from. It is the store's
 * own, unless a secret is configured. Fails with `secret.missing`, `store.unavailable`.
 */
export async function serviceKey(own: StoreKey, secrets: SecretReader, secret?: string): Promise<Buffer> {
  return secret === undefined ? await own() : configuredKey(await secrets.resolve(secret));
}

/** A short one could be guessed, and with it every seal forged. */
function configuredKey(secret: string): Buffer {
  if (secret.length >= LEAST_SECRET_CHARACTERS) return Buffer.from(secret, 'utf8');
  throw new ThermidorFailure('secret.missing', `the secret of callbacks has fewer than ${LEAST_SECRET_CHARACTERS} characters`);
}

/** A database has no key: everybody who reads its tables could seal decisions. */
export const noKey: StoreKey = async () => {
  throw new ThermidorFailure('secret.missing', 'a store on PostgreSQL has no key of its own: set callbacks.secret');
};
