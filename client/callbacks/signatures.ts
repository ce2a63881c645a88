import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { type Proof, type ProofChannel, type Sealed, type SealedStart, sealedText } from '../../plan/people/proof';

/** What a raw Ed25519 key needs before it to be a key in DER (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Discord's signature: Ed25519 over timestamp and body. All are as they came; what is no signature does not fit. */
export function isSignedByDiscord(publicKey: string, timestamp: string, body: Buffer, signature: string): boolean {
  if (!/^[0-9a-f]{128}$/i.test(signature) || !/^[0-9a-f]{64}$/i.test(publicKey)) return false;
  const key = createPublicKey({ key: Buffer.concat([ED25519_PREFIX, Buffer.from(publicKey, 'hex')]), format: 'der', type: 'spki' });
  return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'));
}

/** Slack's signature: `v0=` and the HMAC-SHA-256 over `v0:timestamp:body`. */
export function isSignedBySlack(secret: string, timestamp: string, body: Buffer, signature: string): boolean {
  return isSame(signature, `v0=${hmac(secret, Buffer.from(`v0:${timestamp}:`), body)}`);
}

/** Our own for webhooks, both ways: `v1=` and the HMAC-SHA-256 over `timestamp.body`. */
export function isSignedByReceiver(secret: string, timestamp: string, body: Buffer, signature: string): boolean {
  return isSame(signature, `v1=${hmac(secret, Buffer.from(`${timestamp}.`), body)}`);
}

/** The seal of a decision or a start, made by the code that checked the person. */
export function seal(key: string | Buffer, sealed: Sealed | SealedStart, channel: ProofChannel, at: string): Proof {
  return { channel, at, mac: hmac(key, Buffer.from(sealedText(sealed, { channel, at }))) };
}

/** In constant time, whatever the lengths: digests are compared. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function hmac(key: string | Buffer, ...parts: readonly Buffer[]): string {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest('hex');
}
