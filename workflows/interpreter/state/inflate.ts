/**
 * Undoes raw "deflate" (RFC 1951). Workflow code may not import `node:zlib`, which is what packs (`activities/stored/pack.ts`).
 * Throws a `RangeError` where the bytes are none.
 */
export function inflate(packed: Uint8Array): Uint8Array {
  const source: Source = { packed, at: 0, held: 0, bits: 0 };
  const out: Out = { bytes: new Uint8Array(Math.max(1024, packed.length * GUESSED_RATIO)), size: 0 };
  for (let last = 0; last === 0; ) {
    last = take(source, 1);
    const kind = take(source, 2);
    if (kind === 0) copyStored(source, out);
    else if (kind === 1) expand(source, out, FIXED_LITERALS, FIXED_DISTANCES);
    else if (kind === 2) expand(source, out, ...readTables(source));
    else throw new RangeError('a block of deflated data has an unknown kind');
  }
  return out.bytes.subarray(0, out.size);
}

const GUESSED_RATIO = 8;

interface Source {
  readonly packed: Uint8Array;
  at: number;
  /** Bits that are read and not taken yet, the next one lowest. */
  held: number;
  bits: number;
}

interface Out {
  bytes: Uint8Array;
  size: number;
}

/** By the next `width` bits: a symbol, and in the lowest four bits the length of its code; 0 where no code begins so. */
interface Table {
  codes: Uint16Array;
  width: number;
}

const END_OF_BLOCK = 256;
const LONGEST_CODE = 15;
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const DISTANCES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385,
  24577,
];
/** The order in which a block names the lengths of the codes for its code lengths. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const FIXED_LITERALS = tableOf([...filled(8, 144), ...filled(9, 112), ...filled(7, 24), ...filled(8, 8)]);
const FIXED_DISTANCES = tableOf(filled(5, 30));

function filled(length: number, count: number): number[] {
  return new Array<number>(count).fill(length);
}

function hold(source: Source, count: number): void {
  while (source.bits < count) {
    // Past the end there are zeros to look at; taking them fails.
    source.held |= (source.packed[source.at++] ?? 0) << source.bits;
    source.bits += 8;
  }
}

function drop(source: Source, count: number): void {
  source.held >>>= count;
  source.bits -= count;
  if (source.at - (source.bits >> 3) > source.packed.length) throw new RangeError('deflated data ends early');
}

function take(source: Source, count: number): number {
  hold(source, count);
  const value = source.held & ((1 << count) - 1);
  drop(source, count);
  return value;
}

function symbol(source: Source, { codes, width }: Table): number {
  hold(source, width);
  const found = codes[source.held & ((1 << width) - 1)] ?? 0;
  if (found === 0) throw new RangeError('deflated data has an unknown code');
  drop(source, found & 15);
  return found >> 4;
}

/** Codes by their lengths, symbol by symbol; 0 is a symbol that does not occur. */
function tableOf(lengths: readonly number[]): Table {
  const width = Math.max(1, ...lengths);
  const codes = new Uint16Array(1 << width);
  let code = 0;
  for (let length = 1; length <= width; length++) {
    for (const [value, own] of lengths.entries()) {
      if (own !== length) continue;
      const entry = (value << 4) | length;
      for (let at = reversed(code, length); at < codes.length; at += 1 << length) codes[at] = entry;
      code += 1;
    }
    code <<= 1;
  }
  return { codes, width };
}

function reversed(code: number, length: number): number {
  let out = 0;
  for (let i = 0; i < length; i++) out |= ((code >> i) & 1) << (length - 1 - i);
  return out;
}

function readTables(source: Source): [Table, Table] {
  const literals = take(source, 5) + 257;
  const distances = take(source, 5) + 1;
  const named = take(source, 4) + 4;
  const forLengths = filled(0, LENGTH_ORDER.length);
  for (const at of LENGTH_ORDER.slice(0, named)) forLengths[at] = take(source, 3);
  const table = tableOf(forLengths);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const value = symbol(source, table);
    if (value <= LONGEST_CODE) lengths.push(value);
    else if (value === 16) lengths.push(...filled(lengths.at(-1) ?? 0, 3 + take(source, 2)));
    else lengths.push(...filled(0, value === 17 ? 3 + take(source, 3) : 11 + take(source, 7)));
  }
  return [tableOf(lengths.slice(0, literals)), tableOf(lengths.slice(literals, literals + distances))];
}

function copyStored(source: Source, out: Out): void {
  drop(source, source.bits & 7);
  const size = take(source, 16);
  take(source, 16);
  grow(out, size);
  for (let i = 0; i < size; i++) out.bytes[out.size++] = take(source, 8);
}

function expand(source: Source, out: Out, literals: Table, distances: Table): void {
  for (;;) {
    const value = symbol(source, literals);
    if (value === END_OF_BLOCK) return;
    grow(out, 1);
    if (value < END_OF_BLOCK) {
      out.bytes[out.size++] = value;
      continue;
    }
    const length = counted(source, LENGTHS, LENGTH_BITS, value - END_OF_BLOCK - 1);
    const back = counted(source, DISTANCES, DISTANCE_BITS, symbol(source, distances));
    if (back > out.size) throw new RangeError('deflated data refers to what is before its beginning');
    grow(out, length);
    // What is copied may be what was copied just now: byte by byte.
    for (let i = 0; i < length; i++, out.size++) out.bytes[out.size] = out.bytes[out.size - back] ?? 0;
  }
}

function counted(source: Source, least: readonly number[], bits: readonly number[], at: number): number {
  const [from, extra] = [least[at], bits[at]];
  if (from === undefined || extra === undefined) throw new RangeError('deflated data has an unknown code');
  return from + take(source, extra);
}

function grow(out: Out, by: number): void {
  if (out.size + by <= out.bytes.length) return;
  const larger = new Uint8Array(Math.max(out.bytes.length * 2, out.size + by));
  larger.set(out.bytes);
  out.bytes = larger;
}
