import { ANY, type CharSet, CLASSES, setOf, without } from './char-set';

/**
 * A regular expression as a tree, as far as it matters for how a matcher can go round in it: anchors and word borders take
 * no characters and are left out. The text is known to be a valid expression; what is not understood counts as any character.
 */
export type Part =
  | { kind: 'chars'; set: CharSet }
  | { kind: 'all'; parts: Part[] }
  | { kind: 'one-of'; parts: Part[] }
  | { kind: 'repeat'; part: Part; min: number; max: number };

export interface Pattern {
  root: Part;
  /** What looks ahead or behind: tried on its own. */
  asides: Part[];
  /** `\1`, `\k<name>`: what they cost cannot be told. */
  backreference: boolean;
}

export function readPattern(text: string): Pattern {
  const reader = new Reader([...text]);
  const root = reader.alternatives();
  return { root, asides: reader.asides, backreference: reader.backreference };
}

const EMPTY: Part = { kind: 'all', parts: [] };
const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, 0: 0 };

class Reader {
  readonly asides: Part[] = [];
  backreference = false;
  private at = 0;

  constructor(private readonly chars: readonly string[]) {}

  alternatives(): Part {
    const parts = [this.sequence()];
    while (this.take('|')) parts.push(this.sequence());
    return parts.length === 1 ? (parts[0] ?? EMPTY) : { kind: 'one-of', parts };
  }

  private sequence(): Part {
    const parts: Part[] = [];
    for (let char = this.peek(); char !== undefined && char !== '|' && char !== ')'; char = this.peek()) {
      const part = this.atom();
      const times = this.quantifier();
      if (part) parts.push(times ? { kind: 'repeat', part, ...times } : part);
    }
    return { kind: 'all', parts };
  }

  private atom(): Part | undefined {
    const char = this.chars[this.at++] ?? '';
    if (char === '(') return this.group();
    if (char === '[') return { kind: 'chars', set: this.bracket() };
    if (char === '^' || char === '$') return undefined;
    if (char === '.') return { kind: 'chars', set: CLASSES['.'] ?? ANY };
    if (char !== '\\') return { kind: 'chars', set: only(char.codePointAt(0) ?? 0) };
    const next = this.peek() ?? '';
    if (next === 'b' || next === 'B') {
      this.at++;
      return undefined;
    }
    if (/[1-9k]/.test(next)) this.backreference = true;
    return { kind: 'chars', set: this.escaped() };
  }

  private group(): Part | undefined {
    let aside = false;
    if (this.take('?')) {
      const mark = this.chars[this.at++];
      const behind = mark === '<' && (this.peek() === '=' || this.peek() === '!');
      aside = mark === '=' || mark === '!' || behind;
      if (behind) this.at++;
      else if (mark === '<') while (this.at < this.chars.length && this.chars[this.at++] !== '>');
    }
    const inside = this.alternatives();
    this.take(')');
    if (!aside) return inside;
    this.asides.push(inside);
    return undefined;
  }

  private bracket(): CharSet {
    const negated = this.take('^');
    const ranges: (readonly [number, number])[] = [];
    while (this.at < this.chars.length && !this.take(']')) {
      const set = this.member();
      const [low] = set;
      if (this.peek() === '-' && this.chars[this.at + 1] !== ']' && low && set.length === 1 && low[0] === low[1]) {
        this.at++;
        const [high] = this.member();
        ranges.push([low[0], high?.[1] ?? low[0]]);
      } else ranges.push(...set);
    }
    const set = setOf(ranges);
    return negated ? without(set) : set;
  }

  private member(): CharSet {
    const char = this.chars[this.at++] ?? '';
    return char === '\\' ? this.escaped(true) : only(char.codePointAt(0) ?? 0);
  }

  /** What follows a backslash, itself taken already. */
  private escaped(inBracket = false): CharSet {
    const char = this.chars[this.at++] ?? '';
    if (char === 'p' || char === 'P') {
      while (this.at < this.chars.length && this.chars[this.at++] !== '}');
      return ANY;
    }
    if (char === 'k') {
      while (this.at < this.chars.length && this.chars[this.at++] !== '>');
      return ANY;
    }
    const known = CLASSES[char];
    if (known && char !== '.') return known;
    if (char === 'x') return only(this.hex(2));
    if (char === 'u') return only(this.take('{') ? this.hex(6, '}') : this.hex(4));
    if (char === 'c') return only((this.chars[this.at++]?.codePointAt(0) ?? 0) % 32);
    if (char === 'b' && inBracket) return only(8);
    return only(ESCAPES[char] ?? char.codePointAt(0) ?? 0);
  }

  private hex(digits: number, until?: string): number {
    let text = '';
    for (let char = this.peek(); char !== undefined && text.length < digits && /[0-9a-fA-F]/.test(char); char = this.peek()) {
      text += char;
      this.at++;
    }
    if (until !== undefined) this.take(until);
    return Number.parseInt(text || '0', 16);
  }

  private quantifier(): { min: number; max: number } | undefined {
    const times = this.times();
    if (times) this.take('?');
    return times;
  }

  private times(): { min: number; max: number } | undefined {
    if (this.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.take('?')) return { min: 0, max: 1 };
    const counted = /^\{(\d{1,9})(,?)(\d{0,9})\}/.exec(this.chars.slice(this.at, this.at + 24).join(''));
    if (!counted) return undefined;
    this.at += counted[0].length;
    const min = Number(counted[1]);
    const max = counted[3] ? Number(counted[3]) : counted[2] ? Number.POSITIVE_INFINITY : min;
    return { min, max };
  }

  private peek(): string | undefined {
    return this.chars[this.at];
  }

  private take(char: string): boolean {
    if (this.chars[this.at] !== char) return false;
    this.at++;
    return true;
  }
}

function only(code: number): CharSet {
  return [[code, code]];
}
