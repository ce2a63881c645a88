import { literal } from './pattern-classes';
import { readBrackets, readEscape } from './pattern-escapes';
import { PatternText, Unsupported } from './pattern-text';

/**
 * Converts regular expressions of JSON Schemas, ECMAScript's with the flag `u`, to RE2's form. RE2 matches in time proportional to the text
 * without backtracking, so it has no look-around and no back references.
 *
 * Invariants: 1. an invalid ECMAScript expression is refused as `invalid`, one that RE2 does not support as `unsupported`, each with its
 * place;
 * 2. the result matches if and only if ECMAScript's does; captures are not kept; 3. one pass, no recursion.
 */
export type ReadPattern = { kind: 'read'; re2: string } | PatternProblem;

export interface PatternProblem {
  kind: 'invalid' | 'unsupported';
  /** Continues from "the pattern …". */
  problem: string;
  /** The faulty part, in UTF-16 units of the pattern. */
  start: number;
  end: number;
}

/** RE2's own ceiling, for a count and for counts within counts. */
const MOST_REPEATS = 1000;
/** The limit of characters and groups, multiplied by their counts. It bounds the cost of a match for each character of a text. */
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

/** The part of a group that has been written so far. */
interface Open {
  parts: number;
  /** The product of counts within counts, at its highest. */
  repeats: number;
}

class Translation {
  private readonly out: string[] = [];
  private readonly open: Open[] = [{ parts: 0, repeats: 1 }];
  /** The part that a quantifier would repeat. */
  private last: Open = { parts: 0, repeats: 1 };

  private readonly text: PatternText;

  constructor(pattern: string) {
    this.text = new PatternText(pattern);
  }

  whole(): string {
    while (!this.text.isOver()) this.next();
    return this.out.join('');
  }

  private next(): void {
    const start = this.text.at;
    const char = this.text.character();
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
        this.put(readBrackets(this.text));
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

  private put(re2: string): void {
    this.out.push(re2);
    this.count({ parts: 1, repeats: 1 });
  }

  private count(part: Open): void {
    this.last = part;
    const here = this.open.at(-1);
    if (!here) return;
    here.parts += part.parts;
    here.repeats = Math.max(here.repeats, part.repeats);
    if (here.parts > MOST_PARTS) throw new Unsupported(`is too large: its counts spell out over ${MOST_PARTS} parts`, 0, this.text.at);
  }

  private openGroup(start: number): void {
    if (this.text.take('?') && !this.text.take(':')) {
      for (const [mark, what] of LOOK_AROUND) {
        if (this.text.take(mark)) throw new Unsupported(`has a look-${what}, \`(?${mark}…)\``, start, this.text.at);
      }
      if (!this.text.take('<')) throw new Unsupported('has a group that changes flags', start, this.text.at);
      this.text.upTo('>');
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
    const text = this.text.upTo('}');
    const [least = '', most = least] = text.split(',');
    const times = Math.max(Number(least), Number(most));
    if (times > MOST_REPEATS) throw new Unsupported(`has a count over ${MOST_REPEATS}`, start, this.text.at);
    this.repeat(`{${text}}`, times, start);
  }

  /** Greedy or lazy makes no difference to whether there is a match. */
  private repeat(mark: string, times: number, start: number): void {
    this.text.take('?');
    this.out.push(mark);
    const { parts, repeats } = this.last;
    const product = repeats * Math.max(times, 1);
    if (product > MOST_REPEATS) throw new Unsupported(`has counts within counts that come to over ${MOST_REPEATS}`, start, this.text.at);
    this.count({ parts: parts * Math.max(times - 1, 0), repeats: product });
  }

  private escaped(start: number): void {
    const letter = this.text.pattern.charAt(this.text.at);
    if (letter === 'b' || letter === 'B') {
      this.text.at += 1;
      this.out.push(`\\${letter}`);
      return;
    }
    if (/[1-9k]/.test(letter)) {
      this.text.at += 1;
      if (letter === 'k') this.text.upTo('>');
      else while (/\d/.test(this.text.pattern.charAt(this.text.at))) this.text.at += 1;
      throw new Unsupported(`has a back reference, \`${this.text.pattern.slice(start, this.text.at)}\``, start, this.text.at);
    }
    const meant = readEscape(this.text, start);
    this.put(typeof meant === 'number' ? literal(meant) : `[${meant}]`);
  }
}

const LOOK_AROUND: readonly (readonly [string, string])[] = [
  ['=', 'ahead'],
  ['!', 'ahead'],
  ['<=', 'behind'],
  ['<!', 'behind'],
];
