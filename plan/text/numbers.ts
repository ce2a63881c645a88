/** Numbers as they are written: which a double holds, and how two compare whatever their length. */

/** Numbers as JSON writes them. YAML has more ways. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

export function isJsonNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** The value for a number's text: a number if a double holds it, else the text. */
export function numberOf(text: string): number | string {
  return isHeld(text) ? Number(text) : text;
}

/** Whether a text is a number that no double holds. In comparisons it stands for that number. */
export function isLongNumber(text: string): boolean {
  return isJsonNumber(text) && !isHeld(text);
}

/** Below 0, 0 or above 0, by the exact values. */
export function compareNumbers(a: number | string, b: number | string): number {
  const [x, y] = [digitsOf(String(a)), digitsOf(String(b))];
  if (x.sign !== y.sign || x.sign === 0) return x.sign - y.sign;
  if (x.exponent !== y.exponent) return x.exponent < y.exponent ? -x.sign : x.sign;
  return x.digits === y.digits ? 0 : x.digits < y.digits ? -x.sign : x.sign;
}

/** Fifteen digits, without an exponent: a double holds all of these. */
const SHORT = /^-?\d{1,8}(?:\.\d{1,7})?$/;
/** More digits than any program writes for a double, and as many as JavaScript may. */
const MOST_DIGITS = 100;

/** Whether a double has the value that the digits say: it writes them itself, or does so when it is asked for that many. */
function isHeld(text: string): boolean {
  if (SHORT.test(text)) return true;
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  const said = digitsOf(text);
  // Many programs write the double 0.1 as 0.10000000000000001.
  const wanted = Math.min(Math.max(said.digits.length, 1), MOST_DIGITS);
  return [String(value), value.toPrecision(wanted)]
    .map(digitsOf)
    .some((own) => own.digits === said.digits && own.exponent === said.exponent);
}

interface Digits {
  sign: -1 | 0 | 1;
  /** The digits without leading and trailing zeros; empty for zero. */
  digits: string;
  /** The power of ten of the first digit: 0 in `5`, 2 in `500`, -1 in `0.5`. */
  exponent: number;
}

function digitsOf(text: string): Digits {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[-+]/, '').split('.');
  const all = whole + fraction;
  const first = all.search(/[1-9]/);
  if (first < 0) return { sign: 0, digits: '', exponent: 0 };
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  return { sign: text.startsWith('-') ? -1 : 1, digits: all.slice(first, end), exponent: whole.length - 1 - first + Number(power) };
}
