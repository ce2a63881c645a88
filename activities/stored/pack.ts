import { promisify } from 'node:util';
import { deflateRaw, type ZlibOptions } from 'node:zlib';
import {
  PACKED_LAST,
  PACKED_MORE,
  PACKED_PART_LIMIT_BYTES,
  PACKED_WITH_WORDS,
  PACKING_WORDS,
  PART_TEXT_LIMIT_BYTES,
  type PackedPart,
} from '../../plan/run/packed-part';
import { jsonText } from '../../plan/text/json-text';

const deflated: (text: Uint8Array, options?: ZlibOptions) => Promise<Buffer> = promisify(deflateRaw);
/** Half of the time of zlib's own level, for a twentieth more bytes: a state of 100,000 steps is 25 MB of text in each execution. */
const LEVEL = 3;
/** The second packing should fit. */
const MARGIN = 0.9;

/** As much of a text as fits into a part. `more`: text follows that is not available here. */
export async function packedPart(text: Uint8Array, more: 'more' | 'all' = 'all'): Promise<PackedPart> {
  for (let size = Math.min(text.length, PART_TEXT_LIMIT_BYTES); ; ) {
    const content = await deflated(text.subarray(0, size), { level: LEVEL });
    if (content.length < PACKED_PART_LIMIT_BYTES) {
      const last = more === 'all' && size === text.length;
      return Buffer.concat([Uint8Array.of(last ? PACKED_LAST : PACKED_MORE), content]);
    }
    size = Math.floor((size * MARGIN * PACKED_PART_LIMIT_BYTES) / content.length);
  }
}

const WORDS = Buffer.from(PACKING_WORDS);

/** JSON in one part; unpacked if it does not fit into one. */
export async function packedJson<T extends object>(json: T): Promise<T | PackedPart> {
  const content = await deflated(Buffer.from(jsonText(json)), { dictionary: WORDS });
  return content.length < PACKED_PART_LIMIT_BYTES ? Buffer.concat([Uint8Array.of(PACKED_WITH_WORDS), content]) : json;
}
