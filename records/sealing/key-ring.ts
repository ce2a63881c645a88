import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { ThermidorFailure } from '../../plan/run/failure';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const CHECK_DIGITS = 8;

/** What a key ring adds to what it seals, apart from the name of the key. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES;

interface RingKey {
  cipher: KeyObject;
  /** Makes the nonces of what has to be sealed alike each time. */
  nonces: Buffer;
}

/**
 * The keys of `encryption:`. The mark of a key is its id, and a digest that differs from that of another key of the same id.
 *
 * Invariants: 1. any key opens what it has sealed, and one key seals; a ring without that one seals nothing; 2. what was sealed for one
 * place opens at no other; 3. no key leaves the ring, and no error shows one.
 */
export class KeyRing {
  private readonly keys = new Map<string, RingKey>();
  /** The mark of the key that seals. Undefined: nothing is sealed. */
  readonly use: string | undefined;

  /** @param keys of `KEY_BYTES` each, by id @param use one of the ids */
  constructor(keys: Readonly<Record<string, Buffer>> = {}, use?: string) {
    for (const [id, key] of Object.entries(keys)) {
      const mark = `${id}.${derived(key, 'check').toString('hex').slice(0, CHECK_DIGITS)}`;
      this.keys.set(mark, { cipher: createSecretKey(key), nonces: derived(key, 'nonces') });
      if (id === use) this.use = mark;
    }
  }

  /** The same keys, of which none seals. */
  readOnly(): KeyRing {
    const ring = new KeyRing();
    for (const [mark, key] of this.keys) ring.keys.set(mark, key);
    return ring;
  }

  /**
   * @param place what it is and where it belongs: the same has to be said to open it
   * @param of seals alike each time: what tells this plain text from all others. Absent: a fresh nonce
   * @returns nonce, sealed text, tag
   */
  seal(plain: Uint8Array, place: string, of?: string): Buffer {
    const { cipher, nonces } = this.keyOf(this.use ?? '', place);
    const nonce = of === undefined ? randomBytes(NONCE_BYTES) : derived(nonces, `${place}\n${of}`).subarray(0, NONCE_BYTES);
    const sealing = createCipheriv(CIPHER, cipher, nonce).setAAD(Buffer.from(place));
    return Buffer.concat([nonce, sealing.update(plain), sealing.final(), sealing.getAuthTag()]);
  }

  /** Undefined if it is not what this key has sealed for that place. Fails with `encryption.key-missing`. */
  open(mark: string, sealed: Uint8Array, place: string): Buffer | undefined {
    const { cipher } = this.keyOf(mark, place);
    if (sealed.byteLength < SEAL_BYTES) return undefined;
    const opening = createDecipheriv(CIPHER, cipher, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    opening.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(-TAG_BYTES));
    const plain = opening.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    try {
      opening.final();
      return plain;
    } catch {
      return undefined;
    }
  }

  private keyOf(mark: string, place: string): RingKey {
    const key = this.keys.get(mark);
    if (key) return key;
    const id = keyIdOf(mark);
    const hasOther = [...this.keys.keys()].some((one) => keyIdOf(one) === id);
    const says = hasOther ? `another key than the "${id}" of encryption.keys` : `the key "${id}", which encryption.keys does not have`;
    throw new ThermidorFailure('encryption.key-missing', `${place.split('\n', 1)[0]} is sealed with ${says}`, { key: id });
  }
}

/** The form of a mark, as anybody may have written it. */
export const KEY_MARK = new RegExp(`[A-Za-z0-9_-]{1,64}\\.[0-9a-f]{${CHECK_DIGITS}}`);

export function isKeyId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

export function keyIdOf(mark: string): string {
  return mark.slice(0, mark.lastIndexOf('.'));
}

/** A key as people write it: 64 hexadecimal digits, or base64 of 32 bytes. Undefined if it is something else. */
export function keyIn(text: string): Buffer | undefined {
  const written = text.trim();
  if (/^[0-9a-f]{64}$/i.test(written)) return Buffer.from(written, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(written)) return undefined;
  const key = Buffer.from(written, 'base64');
  return key.byteLength === KEY_BYTES ? key : undefined;
}

function derived(key: Buffer, purpose: string): Buffer {
  return createHmac('sha256', key).update(`thermidor ${purpose}`).digest();
}
