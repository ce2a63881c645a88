import { randomBytes } from 'node:crypto';
import { ThermidorFailure } from '../../plan/run/failure';
import type { StoreKey } from '../service-key';
import { createFile, onDisk, readIfThere } from './durable-file';
import { scratchOf, stateLayout } from './state-layout';

const KEY_BYTES = 32;

/** On a directory: the file `<state>/callbacks/key`, 64 hex digits for its owner alone (0600). */
export function storeKeyFile(stateDir: string): StoreKey {
  const { callbacks, serviceKey: path } = stateLayout(stateDir);
  return () =>
    onDisk('the key of callbacks', path, async () => {
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
