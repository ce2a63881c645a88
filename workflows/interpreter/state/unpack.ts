import { inflateSync } from 'fflate/browser';
import { ThermidorFailure } from '../../../plan/run/failure';
import { PACKED_MORE, PACKED_WITH_WORDS, PACKING_WORDS, type PackedPart } from '../../../plan/run/packed-part';
import type { Json } from '../../../plan/text/json';

/** JSON that comes in packed parts (`plan/run/packed-part.ts`). Fails with `internal` where it does not read. */
export async function unpacked(first: PackedPart, next: (from: number) => Promise<PackedPart>): Promise<Json> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let part = first; ; part = await next(size)) {
    const piece = readPart(part);
    pieces.push(piece);
    size += piece.length;
    if (part[0] !== PACKED_MORE) return parsed(pieces, size);
    if (piece.length === 0) throw unreadable('a part of it is empty');
  }
}

/** The same of what came in one part. */
export function unpackedWhole(part: PackedPart): Json {
  const piece = readPart(part);
  return parsed([piece], piece.length);
}

const WORDS = new TextEncoder().encode(PACKING_WORDS);

function readPart(part: PackedPart): Uint8Array {
  try {
    return inflateSync(part.subarray(1), part[0] === PACKED_WITH_WORDS ? { dictionary: WORDS } : {});
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
}

function parsed(pieces: readonly Uint8Array[], size: number): Json {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  try {
    const json: Json = JSON.parse(new TextDecoder().decode(bytes));
    return json;
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
}

function unreadable(why: string): ThermidorFailure {
  return new ThermidorFailure('internal', `what the store has packed for the run does not read: ${why}`);
}
