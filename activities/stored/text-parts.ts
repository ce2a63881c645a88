/** In characters. */
const LEAST = 64 * 1024;
const MOST = 1024 * 1024;
/** A part ends, after the least, at every 128 Ki-th character or so. */
const ENDS = (1 << 17) - 1;

/** A number for each of the characters that a hash distinguishes; any numbers would do. */
const GEAR = Int32Array.from({ length: 256 }, (_, i) => Math.imul(i + 1, 0x9e37_79b1) ^ Math.imul(i + 7, 0x85eb_ca6b));

/**
 * Cuts a text at places that its own characters determine: two texts that differ in one place differ only in the parts around it, wherever
 * the others have moved to. Each part is text by itself: none ends within a character.
 */
export function textParts(text: string): string[] {
  const parts: string[] = [];
  let hash = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    hash = ((hash << 1) + (GEAR[text.charCodeAt(at) & 0xff] ?? 0)) | 0;
    const size = at + 1 - from;
    const ends = size >= MOST || (size >= LEAST && ((hash >>> 8) & ENDS) === 0);
    if (!ends || isHighSurrogate(text.charCodeAt(at))) continue;
    parts.push(text.slice(from, at + 1));
    from = at + 1;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
