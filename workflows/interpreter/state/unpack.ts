import { inflateSync } from 'fflate/browser';
import { bug, type ThermidorFailure } from '../../../plan/run/failure';
import { jsonLinesReader } from '../../../plan/run/json-lines';
import { PACKED_MORE, PACKED_WITH_WORDS, PACKING_WORDS, type PackedPart } from '../../../plan/run/packed-part';
import type { Json } from '../../../plan/text/json';
import { parseJson } from '../../../plan/text/json-text';

/**
 * JSON in packed parts (`plan/run/packed-part.ts`), each of them read before the next is requested, so that no activation of the workflow
 * takes long. Fails with `internal` if it cannot be read.
 */
export async function unpacked(first: PackedPart, next: (from: number) => Promise<PackedPart>): Promise<Json> {
  const lines = jsonLinesReader();
  let rest: Uint8Array = new Uint8Array(0);
  let size = 0;
  for (let part = first; ; part = await next(size)) {
    const piece = readPart(part);
    size += piece.length;
    if (part[0] !== PACKED_MORE) {
      return readable(() => {
        lines.take(decoded(joined(rest, piece)));
        return lines.value();
      });
    }
    if (piece.length === 0) throw unreadable('a part of it is empty');
    const bytes = joined(rest, piece);
    const end = bytes.lastIndexOf(LINE_BREAK) + 1;
    if (end > 0) readable(() => lines.take(decoded(bytes.subarray(0, end))));
    rest = bytes.subarray(end);
  }
}

const LINE_BREAK = 10;

/** Unpacks JSON in one part. */
export function unpackedWhole(part: PackedPart): Json {
  const piece = readPart(part);
  return readable(() => parseJson(decoded(piece)));
}

const WORDS = new TextEncoder().encode(PACKING_WORDS);

function readPart(part: PackedPart): Uint8Array {
  return readable(() => inflateSync(part.subarray(1), part[0] === PACKED_WITH_WORDS ? { dictionary: WORDS } : {}));
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
}

function unreadable(why: string): ThermidorFailure {
  return bug(`what the store has packed for the run cannot be read: ${why}`);
}
