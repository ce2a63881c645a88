import { numberOf } from '../../../plan/text/numbers';
import { STEP_REFERENCE } from './references';

/** The tokens of a condition (`when:`, `condition:`). Undefined if the text contains something that is no token. */
export type ConditionToken =
  | { kind: 'symbol'; text: string; start: number }
  | { kind: 'reference'; id: string; path: string[]; start: number; end: number }
  | { kind: 'literal'; value: string | number | boolean | null; start: number }
  | { kind: 'word'; value: string; start: number };

const SYMBOL = /&&|\|\||==|!=|<=|>=|[<>!()]/y;
const NUMBER = /-?\d+(?:\.\d+)?/y;
const WORD = /[A-Za-z_][A-Za-z0-9_-]*/y;
const REFERENCE = new RegExp(STEP_REFERENCE, 'y');
const NAMED: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

export type Lexed = { tokens: ConditionToken[] } | { tokens?: undefined; at: number };

export function conditionTokens(text: string): Lexed {
  const tokens: ConditionToken[] = [];
  let start = 0;
  while (start < text.length) {
    const char = text[start] ?? '';
    if (/\s/.test(char)) {
      start++;
      continue;
    }
    const read = char === '"' || char === "'" ? quotedText(text, start, char) : tokenAt(text, start);
    if (!read) return { at: start };
    tokens.push(read.token);
    start = read.end;
  }
  return { tokens };
}

function tokenAt(text: string, start: number): { token: ConditionToken; end: number } | undefined {
  const symbol = matchAt(SYMBOL, text, start)?.[0];
  if (symbol !== undefined) return { token: { kind: 'symbol', text: symbol, start }, end: start + symbol.length };
  const reference = matchAt(REFERENCE, text, start);
  if (reference) {
    const [written, id = '', path = ''] = reference;
    const end = start + written.length;
    return { token: { kind: 'reference', id, path: path.split('.'), start, end }, end };
  }
  const number = matchAt(NUMBER, text, start)?.[0];
  if (number !== undefined) return { token: { kind: 'literal', value: numberOf(number), start }, end: start + number.length };
  const word = matchAt(WORD, text, start)?.[0];
  if (word === undefined) return undefined;
  const named = NAMED.get(word);
  return {
    token: named === undefined ? { kind: 'word', value: word, start } : { kind: 'literal', value: named, start },
    end: start + word.length,
  };
}

function matchAt(sticky: RegExp, text: string, start: number): RegExpExecArray | null {
  sticky.lastIndex = start;
  return sticky.exec(text);
}

/** Reads a quoted text. A backslash takes the next character literally. */
function quotedText(text: string, start: number, quote: string): { token: ConditionToken; end: number } | undefined {
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === quote) return { token: { kind: 'literal', value, start }, end: at + 1 };
    if (char === '\\') at++;
    value += text[at] ?? '';
  }
  return undefined;
}
