import { createHash } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import { defined } from '../plan/defined';
import type { ArtifactRef } from '../plan/run/artifact';
import { ThermidorFailure } from '../plan/run/failure';

export interface DescribedContent {
  bytes: Buffer;
  ref: ArtifactRef;
}

/** Content as every store takes it. Fails with `output.too-large`. */
export async function describeContent(
  content: string | Uint8Array,
  as: { mediaType: string; name?: string },
  limitBytes: number,
): Promise<DescribedContent> {
  const sizeBytes = Buffer.byteLength(content);
  if (sizeBytes > limitBytes) {
    const what = as.name === undefined ? 'an output' : `"${as.name}"`;
    throw new ThermidorFailure('output.too-large', `${what} has ${sizeBytes} bytes; the store takes ${limitBytes}`, {
      sizeBytes,
      limitBytes,
    });
  }
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.buffer, content.byteOffset, sizeBytes);
  return { bytes, ref: { sha256: await contentDigest(bytes), sizeBytes, mediaType: as.mediaType, ...defined({ name: as.name }) } };
}

/** A digest of so much takes a few milliseconds; then other work has its turn. */
const AT_ONCE_BYTES = 4 * 1024 * 1024;

export async function contentDigest(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.byteLength; at += AT_ONCE_BYTES) {
    if (at > 0) await otherWork();
    hash.update(bytes.subarray(at, at + AT_ONCE_BYTES));
  }
  return hash.digest('hex');
}

/** A reference may have been typed by anyone. Fails with `artifact.missing` if it cannot be the digest of anything. */
export function requireDigest(sha256: string): string {
  if (/^[0-9a-f]{64}$/.test(sha256)) return sha256;
  throw new ThermidorFailure('artifact.missing', `"${sha256}" is not an artifact's digest`);
}
