import { numberOf } from '../../plan/text/numbers';
import { foreignWordHint } from '../language/foreign-word-hint';

/**
 * Turns the text of an expression into tokens. Offsets count within the text. Names may hold dashes, as step ids do; the language has no
 * minus between values.
 */
export interface Token {
  kind: 'name' | 'number' | 'text' | 'symbol' | 'end';
  /** The name, the symbol, or the literal's value, verbatim. */
  text: string;
  /** The value of a number or text literal. */
  value?: string | number;
  start: number;
  end: number;
}

export interface SyntaxFault {
  start: number;
  end: number;
  message: string;
  hint?: string;
}

const SYMBOLS = ['&&', '||', '==', '!=', '<=', '>=', '<', '>', '!', '(', ')', '[', ']', ',', '.', '$'];
const NAME = /[A-Za-z_][A-Za-z0-9_-]*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const INTEGER = /\d+/y;

export function tokenize(text: string): { tokens: Token[]; fault?: SyntaxFault } {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++;
    if (at >= text.length) return { tokens: [...tokens, { kind: 'end', text: '', start: text.length, end: text.length }] };
    const token = readToken(text, at, tokens[tokens.length - 1]);
    if ('message' in token) return { tokens, fault: token };
    tokens.push(token);
    at = token.end;
  }
}

function readToken(text: string, at: number, before: Token | undefined): Token | SyntaxFault {
  const quote = text[at];
  if (quote === '"' || quote === "'") return readText(text, at, quote);
  const name = match(NAME, text, at);
  if (name !== undefined) return { kind: 'name', text: name, start: at, end: at + name.length };
  const afterDot = before?.kind === 'symbol' && before.text === '.' && before.end === at;
  const number = match(afterDot ? INTEGER : NUMBER, text, at);
  if (number !== undefined) return { kind: 'number', text: number, value: numberOf(number), start: at, end: at + number.length };
  const symbol = SYMBOLS.find((s) => text.startsWith(s, at));
  if (symbol !== undefined) return { kind: 'symbol', text: symbol, start: at, end: at + symbol.length };
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const hint = foreignWordHint('operator in an expression', char) ?? HINTS[char];
  const fault: SyntaxFault = { start: at, end: at + char.length, message: `${JSON.stringify(char)} has no meaning in an expression` };
  return hint === undefined ? fault : { ...fault, hint };
}

const HINTS: Readonly<Record<string, string>> = {
  '{': 'write the expression without `$` and braces',
  ':': 'in a command, write `$${` for the shell’s own `${`',
  '`': 'put text in single or double quotes',
};

function readText(text: string, start: number, quote: string): Token | SyntaxFault {
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === quote) return { kind: 'text', text: text.slice(start, at + 1), value, start, end: at + 1 };
    if (char === '\\' && at + 1 < text.length) {
      at++;
      value += ESCAPES[text[at] ?? ''] ?? text[at];
    } else value += char;
  }
  return { start, end: text.length, message: 'a quoted text has no end', hint: `close it with ${quote}` };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
