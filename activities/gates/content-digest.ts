import { createHash } from 'node:crypto';
import type { Json } from '../../plan/text/json';
import { stableJson } from '../stages/items/item';

/** Canonical JSON of an action, and its SHA-256, to which an approval is bound. Equal values have equal texts. */
export function contentDigest(value: Json): { text: string; sha256: string } {
  const text = stableJson(value);
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}
