import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { PACKED_LAST, PACKED_MORE, PACKED_PART_LIMIT_BYTES, type PackedPart } from '../../plan/run/packed-part';

const deflated = promisify(deflateRaw);
/** What is packed a second time is meant to fit then. */
const MARGIN = 0.9;

/** As much of a text, from a byte on, as fits into a part. */
export async function packedPart(text: Uint8Array, from = 0): Promise<PackedPart> {
  const rest = text.subarray(from);
  for (let size = rest.length; ; ) {
    const content = await deflated(rest.subarray(0, size));
    if (content.length < PACKED_PART_LIMIT_BYTES) {
      return Buffer.concat([Uint8Array.of(size < rest.length ? PACKED_MORE : PACKED_LAST), content]);
    }
    size = Math.floor((size * MARGIN * PACKED_PART_LIMIT_BYTES) / content.length);
  }
}
