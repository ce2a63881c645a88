/**
 * JSON, or lines of it (`json-lines.ts`), that is too large to enter a workflow's history: deflated, in parts. The first byte of a part
 * says whether more follow; the rest is raw "deflate" (RFC 1951) of some of the text's bytes. The next part is requested by the number of
 * bytes received.
 */
export type PackedPart = Uint8Array;

export const PACKED_LAST = 0;
export const PACKED_MORE = 1;
/** The only part, deflated with `PACKING_WORDS` as its dictionary. */
export const PACKED_WITH_WORDS = 2;

/** The common text of most small plans, the commonest last; ASCII. Part of the format: histories are read with it, so it never changes. */
export const PACKING_WORDS =
  '"carried":{"kind":"carry","parent":{"workflowId":"","step":"budget":{"script":{"name":"offline"},"claimed":"proven":"scheduled"' +
  '"approvers":["anyone"],"channel":"onRevise":{"step":"max":3}"for_each","parallel","branches":[{"inputs":["review","of":"retry":{"max":' +
  '"delayMs":1000},"after":["agents":{"role":"description":"owner":"approval"},{"id":"prompt":"agent","agent":"' +
  '"chained":true},"startedBy":{"identity":"name":"searchAttributes":["ThermidorPipeline","ThermidorState","ThermidorOwner",' +
  '"ThermidorWaitingFor"]}"startedAt":"2026-{"plan":{"irVersion":2,"name":"","escalation":[{"kind":"human"}],"block":{"order":"graph",' +
  '"order":"sequence","steps":[{"id":"s1","kind":"command"},{"id":"s2","kind":"command"}]}},"planRef":{"kind":"plan","sha256":"' +
  '0123456789abcdef","sizeBytes":1234,"mediaType":"application/json","name":"plan.json"},"args":{},"searchAttributes":[]}';

/** A shorter text is not packed, so that people can read it in the history. */
export const UNPACKED_LIMIT_BYTES = 64 * 1024;
/** The limit of one part. One task brings a plan's first part and a state's, which together stay within the server's 4 MiB. */
export const PACKED_PART_LIMIT_BYTES = 1_000_000;
/** The limit of the text in one part: reading that much takes some 50 ms, and a worker that stalls for long loses its tasks. */
export const PART_TEXT_LIMIT_BYTES = 2 * 1024 * 1024;
