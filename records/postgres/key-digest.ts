import { createHash } from 'node:crypto';

/** 32 bytes for names of any length and of any characters, which a key of an index and a text of the database are not. */
export function keyDigest(...names: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(names)).digest();
}
