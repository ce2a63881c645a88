import { ANY, CATEGORY, CLASSES, CONTROLS, literal, NONE } from './pattern-classes';
import { type PatternText, Unsupported } from './pattern-text';

/** Converts the content of brackets to RE2's form. */
export function readBrackets(text: PatternText): string {
  const isNegated = text.take('^');
  const members: string[] = [];
  while (!text.take(']')) {
    const from = member(text);
    const isRange = typeof from === 'number' && text.pattern[text.at] === '-' && text.pattern[text.at + 1] !== ']';
    if (!isRange) members.push(typeof from === 'number' ? literal(from) : from);
    else {
      text.at += 1;
      const to = member(text);
      members.push(`${literal(from)}-${typeof to === 'number' ? literal(to) : to}`);
    }
  }
  if (members.length === 0) return isNegated ? ANY : NONE;
  return `[${isNegated ? '^' : ''}${members.join('')}]`;
}

/** A code point, or a class in the form that it has within brackets. */
function member(text: PatternText): number | string {
  const start = text.at;
  const char = text.character();
  return char === '\\' ? readEscape(text, start) : (char.codePointAt(0) ?? 0);
}

/** Reads after a backslash: a code point, or a class in the form that it has within brackets. */
export function readEscape(text: PatternText, start: number): number | string {
  const letter = text.character();
  const control = CONTROLS[letter];
  if (control !== undefined) return control;
  const known = CLASSES[letter];
  if (known !== undefined) return known;
  switch (letter) {
    case 'b':
      return 8;
    case 'c':
      return (text.character().codePointAt(0) ?? 0) % 32;
    case 'x':
      return text.hex(2);
    case 'u':
      return unicode(text);
    case 'p':
    case 'P':
      return property(text, letter, start);
    default:
      return letter.codePointAt(0) ?? 0;
  }
}

/** Two surrogate halves, each escaped separately, are one character. */
function unicode(text: PatternText): number {
  if (text.take('{')) return Number.parseInt(text.upTo('}'), 16);
  const first = text.hex(4);
  const low = /^\\u(d[c-f][0-9a-f]{2})/i.exec(text.pattern.slice(text.at, text.at + 6))?.[1];
  if (low === undefined || first < 0xd800 || first > 0xdbff) return first;
  text.at += 6;
  return 0x1_0000 + (first - 0xd800) * 0x400 + (Number.parseInt(low, 16) - 0xdc00);
}

function property(text: PatternText, letter: string, start: number): string {
  text.take('{');
  const name = text.upTo('}').replace(/^(?:General_Category|gc)=/, '');
  if (CATEGORY.test(name)) return `\\${letter}{${name}}`;
  const shown = text.pattern.slice(start, text.at);
  throw new Unsupported(
    `has the property \`${shown}\`; known are the general categories, as in \`\\p{L}\` and \`\\p{Lu}\``,
    start,
    text.at,
  );
}
