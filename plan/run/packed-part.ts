/**
 * JSON that is too large to enter a workflow's history as it is: deflated, in parts. The first byte of a part says whether more
 * follow; the rest is raw "deflate" (RFC 1951) of some of the text's bytes. The next part is asked for by the bytes that are there already.
 */
export type PackedPart = Uint8Array;

export const PACKED_LAST = 0;
export const PACKED_MORE = 1;

/** Text up to here stays as it is: people read it in the history. */
export const UNPACKED_LIMIT_BYTES = 64 * 1024;
/** Of one part. One task brings a plan's first part and a state's, which the server takes up to 4 MiB together. */
export const PACKED_PART_LIMIT_BYTES = 1_000_000;
