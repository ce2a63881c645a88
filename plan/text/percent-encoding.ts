/**
 * A text in an address, however much of it is percent-encoded: any of its characters, in small or large letters, once or twice, and `+` for
 * a blank as in forms. Programs disagree on which characters stay unchanged: `encodeURIComponent`, Python's `quote`, Go's `PathEscape`.
 *
 * A text has exponentially many of these forms, so they are matched character by character and never written out.
 */
export interface PercentForm {
  /** The length of the text itself. */
  readonly length: number;
  /** No form is longer. */
  readonly longest: number;
  /** The beginnings of forms: the first character, or a code of it up to one byte, in small letters. */
  readonly beginnings: readonly string[];
  /** Where forms begin and end, in order. The unencoded text itself does not count. */
  spansIn(text: string): Span[];
  /** Whether the end of the text cuts off a form that begins there. */
  isOpenAt(text: string, from: number): boolean;
}

/** A part of a text, from `from` up to but not including `to`. */
export interface Span {
  from: number;
  to: number;
}

/** Ways to write one character; the first is the character itself, the others are codes. */
type Ways = readonly string[];

/** `%2f` */
const CODE = 3;

/** Which of its beginnings a form at a place in a text has. Undefined: the text ends within it. */
export function beginningAt(text: string, from: number): string | undefined {
  if (text.charAt(from) !== '%') return text.charAt(from);
  return from + CODE > text.length ? undefined : text.slice(from, from + CODE).toLowerCase();
}

/** How many characters of a form a regular expression looks for, which is fast; the rest is compared at each match. */
const SOUGHT_CHARACTERS = 8;

export function percentForm(plain: string): PercentForm {
  const known = new Map<string, Ways>();
  const characters = [...plain].map((character) => {
    const ways = known.get(character) ?? waysToWrite(character);
    known.set(character, ways);
    return ways;
  });
  const beginning = new RegExp(characters.slice(0, SOUGHT_CHARACTERS).map(asPattern).join(''), 'g');
  return {
    length: plain.length,
    beginnings: (characters[0] ?? []).map((way) => way.slice(0, CODE)),
    longest: characters.reduce((sum, ways) => sum + Math.max(...ways.map(({ length }) => length)), 0),
    spansIn(text) {
      const spans: Span[] = [];
      if (lastCode(text) < 0) return spans;
      beginning.lastIndex = 0;
      for (let found = beginning.exec(text); found; found = beginning.exec(text)) {
        const from = found.index;
        const { to } = match(characters, text, from);
        if (to !== undefined && text.slice(from, to) !== plain) spans.push({ from, to });
        beginning.lastIndex = from + 1;
      }
      return spans;
    },
    isOpenAt: (text, from) => match(characters, text, from).isOpen,
  };
}

/** Where the last code in a text can begin; below 0 if there can be none. */
export function lastCode(text: string): number {
  return Math.max(text.lastIndexOf('%'), text.lastIndexOf('+'));
}

function waysToWrite(character: string): Ways {
  const once = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const codes = [once];
  // A form ends its lines as the network does.
  if (character === '\n') codes.push('%0d%0a');
  if (character === ' ') codes.push('+');
  return [character, ...codes, ...codes.map((code) => (code === '+' ? '%2b' : code.replaceAll('%', '%25')))];
}

function asPattern([plain = '', ...codes]: Ways): string {
  const literal = plain.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return `(?:${[literal, ...codes.map((code) => code.replace(/[+]/g, '\\+').replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`))].join('|')})`;
}

/**
 * Compares all characters from a place on. A `%` may be itself or begin a code, so there may be more than one place after it; each is
 * followed once, so the time is bounded for any text.
 */
function match(characters: readonly Ways[], text: string, from: number): { to?: number; isOpen: boolean } {
  let places = [from];
  let isOpen = false;
  for (const ways of characters) {
    const next: number[] = [];
    for (const place of places) {
      for (const [n, way] of ways.entries()) {
        const found = compare(text, place, way, n > 0);
        if (found === 'cut') isOpen = true;
        else if (found === 'there' && !next.includes(place + way.length)) next.push(place + way.length);
      }
    }
    places = next;
    if (places.length === 0) return { isOpen };
  }
  return { to: Math.max(...places), isOpen };
}

/** A code matches in small or large letters, a character only exactly. */
function compare(text: string, at: number, way: string, isCode: boolean): 'there' | 'cut' | 'else' {
  const found = text.slice(at, at + way.length);
  const there = isCode ? found.toLowerCase() : found;
  if (there.length === way.length) return there === way ? 'there' : 'else';
  return way.startsWith(there) ? 'cut' : 'else';
}
