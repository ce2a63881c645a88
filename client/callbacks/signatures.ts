import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Proof, type ProofChannel, type Sealed, type SealedStart, sealedText } from '../../plan/people/proof';

/** Our own for webhooks, both ways: `v1=` and the HMAC-SHA-256 over `timestamp.body`. */
export function isSignedByReceiver(secret: string, timestamp: string, body: Buffer, signature: string): boolean {
  return isSame(signature, `v1=${hmac(secret, Buffer.from(`${timestamp}.`), body)}`);
}

/** The seal of a decision or a start, made by the code that checked the person. */
export function seal(key: string | Buffer, sealed: Sealed | SealedStart, channel: ProofChannel, at: string): Proof {
  return { channel, at, mac: hmac(key, Buffer.from(sealedText(sealed, { channel, at }))) };
}

/** Compares digests, so in constant time for any lengths. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** HMAC-SHA-256 in hexadecimal digits. */
export function hmac(key: string | Buffer, ...parts: readonly Buffer[]): string {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest('hex');
}
