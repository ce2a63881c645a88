import { readFileSync, statSync } from 'node:fs';
import { whyNotRead } from '../activities/adapters/plain-file';
import type { EncryptionSpec } from '../plan/run/services';
import { KEY_BYTES, KeyRing, keyIn } from '../records/sealing/key-ring';

/** A key of the settings that cannot be used. It never shows the key. */
export class KeyProblem extends Error {
  override readonly name = 'KeyProblem';
  constructor(
    readonly key: string,
    readonly says: string,
    readonly hint: string,
  ) {
    super(`encryption.keys.${key} ${says}`);
  }
}

const rings = new Map<string, KeyRing>();

/** The keys of a process, read once: what is sealed before the first await needs them, too. Fails with `KeyProblem`. */
export function keyRingOf(spec: EncryptionSpec | undefined): KeyRing {
  if (spec === undefined) return NO_KEYS;
  const name = JSON.stringify([spec.keys, spec.use]);
  const ring = rings.get(name) ?? new KeyRing(keysOf(spec), spec.use);
  rings.set(name, ring);
  return ring;
}

/** Opens nothing, and says so. */
const NO_KEYS = new KeyRing();

function keysOf({ keys }: EncryptionSpec): Record<string, Buffer> {
  return Object.fromEntries(Object.entries(keys).map(([id, reference]) => [id, keyOf(id, reference)]));
}

/** The keys as they are written, to mask them. Fails with `KeyProblem`. */
export function keyTexts(spec: EncryptionSpec | undefined): string[] {
  return Object.entries(spec?.keys ?? {}).map(([id, reference]) => textOf(id, reference).trim());
}

/** A key by its reference. Fails with `KeyProblem`. */
function keyOf(id: string, reference: string): Buffer {
  const key = keyIn(textOf(id, reference));
  if (key) return key;
  const says = `is no key: ${reference} must have ${KEY_BYTES} bytes, as ${2 * KEY_BYTES} hexadecimal digits or in base64`;
  throw new KeyProblem(id, says, 'make one with: openssl rand -hex 32');
}

function textOf(id: string, reference: string): string {
  const [, kind, name = ''] = /^secret:\/\/(env|file)\/(.+)$/.exec(reference) ?? [];
  const missing = (why: string): KeyProblem =>
    new KeyProblem(id, `cannot be resolved: ${reference}: ${why}`, 'set it where commands, `thermidor up` and workers start');
  if (kind === 'env') {
    const value = process.env[name];
    if (value) return value;
    throw missing(`the environment has no ${name}`);
  }
  if (kind !== 'file') throw missing('it is no secret reference');
  const path = `/${name.replace(/^\/+/, '')}`;
  try {
    const problem = whyNotRead(statSync(path));
    if (problem !== undefined) throw missing(problem);
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw error instanceof KeyProblem ? error : missing(`${path} cannot be read`);
  }
}
