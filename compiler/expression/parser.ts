import { BINARY_OPERATORS, type BinaryOperator } from '../../plan/expressions/expression';
import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import { foreignWordHint } from '../language/foreign-word-hint';
import type { SpanWithin } from '../read/offsets';
import { type SyntaxFault, type Token, tokenize } from './lexer';
import type { Syntax } from './syntax';

/**
 * Recursive descent, loosest first: `||`, `&&`, one comparison, `!`, then literals, names, calls, lists, parentheses. Invariants: 1. never
 * throws to its caller; 2. returns undefined if and only if it reported a mistake; 3. the tree is at most `DEPTH_LIMIT` deep in parentheses
 * and has at most `SIZE_LIMIT` parts, so that evaluating it cannot exhaust a stack.
 */
const DEPTH_LIMIT = 100;
const SIZE_LIMIT = 1000;

export function parseExpression(text: string, spotOf: SpanWithin, report: Report): Syntax | undefined {
  const { tokens, fault } = tokenize(text);
  if (fault) {
    report('expression.syntax', spotOf(fault.start, fault.end), fault.message, fault.hint);
    return undefined;
  }
  try {
    return new Parser(tokens, spotOf).whole();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    report(error.code, spotOf(error.fault.start, error.fault.end), error.fault.message, error.fault.hint);
    return undefined;
  }
}

/** Ends the parse of one expression at its first mistake; never leaves this file. */
class Stop extends Error {
  constructor(
    readonly code: 'expression.syntax' | 'expression.too-complex',
    readonly fault: SyntaxFault,
  ) {
    super(fault.message);
  }
}

const COMPARISONS: readonly string[] = BINARY_OPERATORS.filter((operator) => operator !== '&&' && operator !== '||');

class Parser {
  private next = 0;
  private depth = 0;
  private size = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly spotOf: SpanWithin,
  ) {}

  whole(): Syntax {
    if (this.peek().kind === 'end') this.fail(this.peek(), 'an expression is missing', 'write one, such as review.verdict == "pass"');
    const found = this.either();
    if (this.peek().kind !== 'end') this.failUnexpected();
    return found;
  }

  private either(): Syntax {
    return this.chain('||', () => this.both());
  }

  private both(): Syntax {
    return this.chain('&&', () => this.comparison());
  }

  private chain(operator: BinaryOperator, part: () => Syntax): Syntax {
    let left = part();
    while (this.takeSymbol(operator)) left = this.joined(operator, left, part());
    return left;
  }

  private comparison(): Syntax {
    const left = this.unary();
    const operator = this.comparisonOperator();
    if (operator === undefined) return left;
    const right = this.unary();
    if (this.comparisonOperator() !== undefined) this.fail(this.before(), 'comparisons do not chain', 'join two comparisons with `&&`');
    return this.joined(operator, left, right);
  }

  private comparisonOperator(): BinaryOperator | undefined {
    const { kind, text } = this.peek();
    if (kind !== 'symbol' && !(kind === 'name' && text === 'in')) return undefined;
    if (!COMPARISONS.includes(text)) return undefined;
    this.next++;
    return BINARY_OPERATORS.find((operator) => operator === text);
  }

  private unary(): Syntax {
    const start = this.peek().start;
    if (!this.takeSymbol('!')) return this.primary();
    const operand = this.nested(() => this.unary());
    return this.sized({ kind: 'not', at: this.from(start), operand });
  }

  private primary(): Syntax {
    const token = this.peek();
    if (token.kind === 'number' || token.kind === 'text') {
      this.next++;
      return this.sized({ kind: 'literal', at: this.from(token.start), value: token.value ?? null });
    }
    if (this.takeSymbol('(')) {
      const inner = this.nested(() => this.either());
      this.expect(')');
      return inner;
    }
    if (this.takeSymbol('[')) {
      const items = this.nested(() => this.list(']'));
      return this.sized({ kind: 'array', at: this.from(token.start), items });
    }
    if (this.takeSymbol('$')) return this.name(token.start, true);
    if (token.kind === 'name') return this.word(token);
    return this.failUnexpected();
  }

  private word(token: Token): Syntax {
    const literal = LITERALS.get(token.text);
    if (literal !== undefined) {
      this.next++;
      return this.sized({ kind: 'literal', at: this.from(token.start), value: literal.value });
    }
    if (token.text === 'in') this.failUnexpected();
    const after = this.tokens[this.next + 1];
    if (after?.kind !== 'symbol' || after.text !== '(') return this.name(token.start, false);
    this.next += 2;
    const args = this.nested(() => this.list(')'));
    const functionAt = this.spotOf(token.start, token.end);
    return this.sized({ kind: 'call', at: this.from(token.start), function: token.text, functionAt, arguments: args });
  }

  private name(start: number, dollar: boolean): Syntax {
    const token = this.peek();
    if (token.kind !== 'name') this.fail(token, 'a name is missing after `$`', 'write it as in $review.json.verdict');
    this.next++;
    const path: { key: string | number; at: SourceSpan }[] = [];
    for (;;) {
      if (this.takeSymbol('.')) {
        const key = this.peek();
        if (key.kind !== 'name' && key.kind !== 'number') this.fail(key, 'a field is missing after `.`');
        this.next++;
        path.push({ key: key.kind === 'number' ? Number(key.text) : key.text, at: this.spotOf(key.start, key.end) });
      } else if (this.takeSymbol('[')) {
        const key = this.peek();
        if (key.kind !== 'number' || !/^\d+$/.test(key.text)) this.fail(key, '`[ ]` takes only a whole number', 'write a field as in a.b');
        this.next++;
        path.push({ key: Number(key.text), at: this.spotOf(key.start, key.end) });
        this.expect(']');
      } else break;
    }
    this.size += path.length;
    return this.sized({ kind: 'name', at: this.from(start), name: token.text, nameAt: this.spotOf(start, token.end), dollar, path });
  }

  private list(close: string): Syntax[] {
    const items: Syntax[] = [];
    if (this.takeSymbol(close)) return items;
    do items.push(this.either());
    while (this.takeSymbol(','));
    this.expect(close);
    return items;
  }

  private joined(operator: BinaryOperator, left: Syntax, right: Syntax): Syntax {
    const at = { source: left.at.source, start: left.at.start, end: Math.max(left.at.end, right.at.end) };
    return this.sized({ kind: 'binary', at, operator, left, right });
  }

  private nested<T>(part: () => T): T {
    if (++this.depth > DEPTH_LIMIT) this.failComplex('nested too deeply');
    const found = part();
    this.depth--;
    return found;
  }

  private sized(syntax: Syntax): Syntax {
    if (++this.size > SIZE_LIMIT) this.failComplex('too long');
    return syntax;
  }

  private peek(): Token {
    return this.tokens[this.next] ?? END;
  }

  private before(): Token {
    return this.tokens[this.next - 1] ?? END;
  }

  private takeSymbol(symbol: string): boolean {
    const token = this.peek();
    if (token.kind !== 'symbol' || token.text !== symbol) return false;
    this.next++;
    return true;
  }

  private expect(symbol: string): void {
    if (!this.takeSymbol(symbol)) this.fail(this.peek(), `\`${symbol}\` is missing`);
  }

  private from(start: number): SourceSpan {
    return this.spotOf(start, this.before().end);
  }

  private failUnexpected(): never {
    const token = this.peek();
    if (token.kind === 'end') return this.fail(token, 'the expression ends too early');
    // `not x` reads as a name followed by a word that does not belong there: the word before is the culprit.
    for (const word of [token, this.before()]) {
      const answer = word.kind === 'name' ? foreignWordHint('operator in an expression', word.text) : undefined;
      if (answer !== undefined) return this.fail(word, `"${word.text}" is not an operator`, answer);
    }
    return this.fail(token, `"${token.text}" does not belong here`);
  }

  private fail(token: Token, message: string, hint?: string): never {
    const fault: SyntaxFault = { start: token.start, end: token.end, message };
    throw new Stop('expression.syntax', hint === undefined ? fault : { ...fault, hint });
  }

  private failComplex(how: string): never {
    const { start, end } = this.before();
    throw new Stop('expression.too-complex', {
      start,
      end,
      message: `the expression is ${how}`,
      hint: 'let a step work it out and read its result',
    });
  }
}

const END: Token = { kind: 'end', text: '', start: 0, end: 0 };
const LITERALS: ReadonlyMap<string, { value: boolean | null }> = new Map([
  ['true', { value: true }],
  ['false', { value: false }],
  ['null', { value: null }],
]);
