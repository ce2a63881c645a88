import { ANY, CATEGORY, CLASSES, CONTROLS, literal, NONE } from './pattern-classes';

/**
 * Regular expressions of JSON Schemas: ECMAScript's with the flag `u`, written as RE2 writes them. RE2 matches in time proportional to the
 * text and goes back for nothing, so it has no look-around and no back references.
 *
 * Invariants: 1. what is no expression in ECMAScript is refused as `invalid`, what RE2 cannot do as `unsupported`, each with its place;
 * 2. the result finds a match exactly where ECMAScript finds one; what the match captures is not kept; 3. one pass, no recursion.
 */
export type ReadPattern = { kind: 'read'; re2: string } | PatternProblem;

export interface PatternProblem {
  kind: 'invalid' | 'unsupported';
  /** Continues from "the pattern …". */
  problem: string;
  /** What it is about, in UTF-16 units of the pattern. */
  start: number;
  end: number;
}

/** RE2's own ceiling, for a count and for counts within counts. */
const MOST_REPEATS = 1000;
/** Characters and groups, repeated as often as their counts say. It bounds what a match costs for each character of a text. */
const MOST_PARTS = 10_000;

export function readPattern(pattern: string): ReadPattern {
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const reason = said.slice(said.lastIndexOf(': ') + 2);
    return { kind: 'invalid', problem: `is not a regular expression: ${reason}`, start: 0, end: pattern.length };
  }
  try {
    return { kind: 'read', re2: new Translation(pattern).whole() };
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return { kind: 'unsupported', problem: error.message, start: error.start, end: error.end };
  }
}

class Unsupported extends Error {
  constructor(
    message: string,
    readonly start: number,
    readonly end: number,
  ) {
    super(message);
  }
}

/** What has been written so far of a group. */
interface Open {
  parts: number;
  /** The product of counts within counts, at its highest. */
  repeats: number;
}

/** Of a pattern that ECMAScript takes. */
class Translation {
  private at = 0;
  private readonly out: string[] = [];
  private readonly open: Open[] = [{ parts: 0, repeats: 1 }];
  /** What a quantifier would repeat. */
  private last: Open = { parts: 0, repeats: 1 };

  constructor(private readonly pattern: string) {}

  whole(): string {
    while (this.at < this.pattern.length) this.next();
    return this.out.join('');
  }

  private next(): void {
    const start = this.at;
    const char = this.character();
    switch (char) {
      case '(':
        this.openGroup(start);
        break;
      case ')':
        this.closeGroup();
        break;
      case '|':
        this.out.push('|');
        break;
      case '^':
        this.out.push('\\A');
        break;
      case '$':
        this.out.push('\\z');
        break;
      case '.':
        this.put('[^\\n\\r\\x{2028}\\x{2029}]');
        break;
      case '[':
        this.put(this.brackets());
        break;
      case '*':
      case '+':
      case '?':
        this.repeat(char, 1, start);
        break;
      case '{':
        this.counted(start);
        break;
      case '\\':
        this.escaped(start);
        break;
      default:
        this.put(literal(char.codePointAt(0) ?? 0));
    }
  }

  private character(): string {
    const char = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0);
    this.at += char.length;
    return char;
  }

  private take(text: string): boolean {
    if (!this.pattern.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** Up to the mark, which is skipped. */
  private upTo(mark: string): string {
    const end = this.pattern.indexOf(mark, this.at);
    const text = this.pattern.slice(this.at, end);
    this.at = end + mark.length;
    return text;
  }

  private put(re2: string, part: Open = { parts: 1, repeats: 1 }): void {
    this.out.push(re2);
    this.count(part);
  }

  private count(part: Open): void {
    this.last = part;
    const here = this.open.at(-1);
    if (!here) return;
    here.parts += part.parts;
    here.repeats = Math.max(here.repeats, part.repeats);
    if (here.parts > MOST_PARTS) throw new Unsupported(`is too large: its counts spell out over ${MOST_PARTS} parts`, 0, this.at);
  }

  private openGroup(start: number): void {
    if (this.take('?') && !this.take(':')) {
      for (const [mark, what] of LOOK_AROUND) {
        if (this.take(mark)) throw new Unsupported(`has a look-${what}, \`(?${mark}…)\``, start, this.at);
      }
      if (!this.take('<')) throw new Unsupported('has a group that changes flags', start, this.at);
      this.upTo('>');
    }
    this.out.push('(?:');
    this.open.push({ parts: 0, repeats: 1 });
  }

  private closeGroup(): void {
    this.out.push(')');
    const { parts, repeats } = this.open.pop() ?? { parts: 0, repeats: 1 };
    this.count({ parts: parts + 1, repeats });
  }

  private counted(start: number): void {
    const text = this.upTo('}');
    const [least = '', most = least] = text.split(',');
    const times = Math.max(Number(least), Number(most));
    if (times > MOST_REPEATS) throw new Unsupported(`has a count over ${MOST_REPEATS}`, start, this.at);
    this.repeat(`{${text}}`, times, start);
  }

  /** Whether it takes as much as it can or as little makes no difference to whether there is a match. */
  private repeat(mark: string, times: number, start: number): void {
    this.take('?');
    this.out.push(mark);
    const { parts, repeats } = this.last;
    const product = repeats * Math.max(times, 1);
    if (product > MOST_REPEATS) throw new Unsupported(`has counts within counts that come to over ${MOST_REPEATS}`, start, this.at);
    this.count({ parts: parts * Math.max(times - 1, 0), repeats: product });
  }

  private escaped(start: number): void {
    const letter = this.pattern.charAt(this.at);
    if (letter === 'b' || letter === 'B') {
      this.at += 1;
      this.out.push(`\\${letter}`);
      return;
    }
    if (/[1-9k]/.test(letter)) {
      this.at += 1;
      if (letter === 'k') this.upTo('>');
      else while (/\d/.test(this.pattern.charAt(this.at))) this.at += 1;
      throw new Unsupported(`has a back reference, \`${this.pattern.slice(start, this.at)}\``, start, this.at);
    }
    const meant = this.escape(start);
    this.put(typeof meant === 'number' ? literal(meant) : `[${meant}]`);
  }

  private brackets(): string {
    const isNegated = this.take('^');
    const members: string[] = [];
    while (!this.take(']')) {
      const from = this.member();
      const isRange = typeof from === 'number' && this.pattern[this.at] === '-' && this.pattern[this.at + 1] !== ']';
      if (!isRange) members.push(typeof from === 'number' ? literal(from) : from);
      else {
        this.at += 1;
        const to = this.member();
        members.push(`${literal(from)}-${typeof to === 'number' ? literal(to) : to}`);
      }
    }
    if (members.length === 0) return isNegated ? ANY : NONE;
    return `[${isNegated ? '^' : ''}${members.join('')}]`;
  }

  /** A code point, or a class as it is within brackets. */
  private member(): number | string {
    const start = this.at;
    const char = this.character();
    return char === '\\' ? this.escape(start) : (char.codePointAt(0) ?? 0);
  }

  /** Behind a backslash: a code point, or a class as it is within brackets. */
  private escape(start: number): number | string {
    const letter = this.character();
    const control = CONTROLS[letter];
    if (control !== undefined) return control;
    const known = CLASSES[letter];
    if (known !== undefined) return known;
    switch (letter) {
      case 'b':
        return 8;
      case 'c':
        return (this.character().codePointAt(0) ?? 0) % 32;
      case 'x':
        return this.hex(2);
      case 'u':
        return this.unicode();
      case 'p':
      case 'P':
        return this.property(letter, start);
      default:
        return letter.codePointAt(0) ?? 0;
    }
  }

  private hex(digits: number): number {
    const code = Number.parseInt(this.pattern.slice(this.at, this.at + digits), 16);
    this.at += digits;
    return code;
  }

  /** Two halves, each written by itself, are one character. */
  private unicode(): number {
    if (this.take('{')) return Number.parseInt(this.upTo('}'), 16);
    const first = this.hex(4);
    const low = /^\\u(d[c-f][0-9a-f]{2})/i.exec(this.pattern.slice(this.at, this.at + 6))?.[1];
    if (low === undefined || first < 0xd800 || first > 0xdbff) return first;
    this.at += 6;
    return 0x1_0000 + (first - 0xd800) * 0x400 + (Number.parseInt(low, 16) - 0xdc00);
  }

  private property(letter: string, start: number): string {
    this.take('{');
    const name = this.upTo('}').replace(/^(?:General_Category|gc)=/, '');
    if (CATEGORY.test(name)) return `\\${letter}{${name}}`;
    const shown = this.pattern.slice(start, this.at);
    throw new Unsupported(
      `has the property \`${shown}\`; known are the general categories, as in \`\\p{L}\` and \`\\p{Lu}\``,
      start,
      this.at,
    );
  }
}

const LOOK_AROUND: readonly (readonly [string, string])[] = [
  ['=', 'ahead'],
  ['!', 'ahead'],
  ['<=', 'behind'],
  ['<!', 'behind'],
];
