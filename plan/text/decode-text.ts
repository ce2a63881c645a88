/** A text decoded from bytes, and what is wrong with it. */
export interface DecodedText {
  text: string;
  /** Why it may not be what was meant, as the end of a sentence. Absent: it is UTF-8, or UTF-16 with a byte order mark. */
  problem?: string;
}

export const NOT_UTF8 = 'is not UTF-8; each invalid byte is kept as U+FFFD';
export const UNMARKED_UTF16 = 'is not UTF-8: it looks like UTF-16 without a byte order mark, and is kept as it is';
export const BROKEN_UTF16 = 'is broken UTF-16; what is not a character is kept as U+FFFD';

/** Decodes UTF-8, or the encoding that a byte order mark names. Windows programs write UTF-16. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = utf16Of(bytes);
  if (encoding !== undefined) return decodeWith(encoding, bytes.subarray(2), BROKEN_UTF16);
  return looksLikeUtf16(bytes) ? { text: decode('utf-8', bytes), problem: UNMARKED_UTF16 } : decodeWith('utf-8', bytes, NOT_UTF8);
}

/** Decodes a part of a longer text, whose first bytes give its encoding. @param offset how many bytes are before it */
export function decodePart(bytes: Uint8Array, { beginning, offset }: { beginning: Uint8Array; offset: number }): string {
  const encoding = utf16Of(beginning);
  if (encoding === undefined) return decode('utf-8', bytes);
  return decode(encoding, bytes.subarray(offset === 0 ? 2 : offset % 2));
}

/** The encoding that a byte order mark of UTF-16 names. A mark of UTF-32 begins in the same way, followed by two zeros. */
export function utf16Of([first, second, third, fourth]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? undefined : 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Whether most units of two bytes at the beginning have a zero at the same side, as in text of European languages. */
export function looksLikeUtf16(bytes: Uint8Array): boolean {
  const looked = bytes.subarray(0, LOOKED_BYTES);
  const zeros = [0, 0];
  for (const [at, byte] of looked.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [few = 0, many = 0] = zeros.sort((one, other) => one - other);
  return few * 4 <= many && many > 0 && many * 4 >= looked.length;
}
const LOOKED_BYTES = 1024;

function decodeWith(encoding: string, bytes: Uint8Array, problem: string): DecodedText {
  try {
    return { text: new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { text: decode(encoding, bytes), problem };
  }
}

function decode(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}
