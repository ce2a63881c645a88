/** Sets of characters of ECMAScript's expressions with the flag `u`, as RE2 writes them (`text/pattern.ts`). */

export const ANY = '[\\x{0}-\\x{10FFFF}]';
export const NONE = '[^\\x{0}-\\x{10FFFF}]';
const SPACE = '\\x{9}-\\x{D} \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}';
const NOT_SPACE =
  '\\x{0}-\\x{8}\\x{E}-\\x{1F}!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}' +
  '\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}';

/** Classes by their letter, as they are within brackets. */
export const CLASSES: Readonly<Record<string, string>> = {
  d: '0-9',
  D: '\\x{0}-/:-\\x{10FFFF}',
  w: '0-9A-Z_a-z',
  W: '\\x{0}-/:-@\\[-\\^`\\{-\\x{10FFFF}',
  s: SPACE,
  S: NOT_SPACE,
};
export const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 };
/** The general categories that ECMAScript and RE2 know by the same name and with the same meaning. */
export const CATEGORY = /^(?:L[CultmoC]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfson]?)$/;

/** One character, escaped so that it has no special meaning. */
export function literal(code: number): string {
  return /^[0-9A-Za-z]$/.test(String.fromCodePoint(code)) ? String.fromCodePoint(code) : `\\x{${code.toString(16).toUpperCase()}}`;
}
