import { createHash } from 'node:crypto';

/** V8 hashes a longer text by its length alone. */
const HASHED_CHARACTERS = 16_000;

/**
 * A key for looking up somebody else's text in a Map or a Set: the same for the same text. Many long texts of one length would all be
 * compared with each other.
 */
export function textKey(text: string): string {
  return text.length <= HASHED_CHARACTERS ? text : `sha256 ${createHash('sha256').update(text).digest('base64')}`;
}
