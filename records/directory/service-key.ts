import { randomBytes } from 'node:crypto';
import { ThermidorFailure } from '../../plan/run/failure';
import { createFile, onDisk, readIfThere } from './durable-file';
import { scratchOf, stateLayout } from './state-layout';

/** As much of `Secrets` as a key needs. */
interface SecretReader {
  resolve(reference: string): Promise<string>;
}

const KEY_BYTES = 32;
const LEAST_SECRET_CHARACTERS = 32;

/**
 * The key that workers and the listener share: what they seal decisions with, and what the keys of gates are made from. It
 * never leaves the machine's disk or its secrets, and enters neither history nor a log.
 *
 * If no secret is configured it is the file `<state>/callbacks/key`, 64 hex digits for its owner alone (0600). The first user
 * first makes it; of several at once exactly one does. Fails with `secret.missing`, `store.unavailable`.
 */
export async function serviceKey(stateDir: string, secrets: SecretReader, secret?: string): Promise<Buffer> {
  if (secret !== undefined) return configuredKey(await secrets.resolve(secret));
  const { callbacks, serviceKey: path } = stateLayout(stateDir);
  return onDisk('the key of callbacks', path, async () => {
    const there = await readIfThere(path);
    if (there) return keyIn(path, there);
    const target = { path, scratch: scratchOf(callbacks) };
    await createFile(target, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
    return keyIn(path, (await readIfThere(path)) ?? Buffer.alloc(0));
  });
}

function keyIn(path: string, content: Buffer): Buffer {
  const text = content.toString('utf8').trim();
  if (new RegExp(`^[0-9a-f]{${KEY_BYTES * 2}}$`).test(text)) return Buffer.from(text, 'hex');
  throw new ThermidorFailure(
    'store.unavailable',
    `${path} is not a key; remove it to have a new one made, then restart the workers and the listener`,
  );
}

/** A short one could be guessed, and with it every seal forged. */
function configuredKey(secret: string): Buffer {
  if (secret.length >= LEAST_SECRET_CHARACTERS) return Buffer.from(secret, 'utf8');
  throw new ThermidorFailure('secret.missing', `the secret of callbacks has fewer than ${LEAST_SECRET_CHARACTERS} characters`);
}
