import { defined } from '../../../plan/defined';
import type { BinaryOperator, Expr } from '../../../plan/expressions/expression';
import type { SyntaxFault } from '../../expression/lexer';
import { type ConditionToken, conditionTokens } from './condition-lexer';
import { call, type LobsterResults, literalExpr, valueOfResult } from './results';

/**
 * Turns a condition into the plan's expression, with Lobster's rules: `||` of `&&` of at most one comparison each; `!` binds tighter;
 * equality without coercion, deep for objects; order of numbers and numeric texts alone; a bare word is text on the right of a comparison
 * and nowhere else.
 *
 * Invariants: 1. the result nests at most `DEPTH_LIMIT` deep and has at most `SIZE_LIMIT` tokens, so that evaluating it cannot exhaust a
 * stack; 2. no exception for a writer's mistake.
 */
export type ReadCondition = { expr: Expr } | { expr?: undefined; fault: ConditionFault };

export interface ConditionFault extends SyntaxFault {
  kind: 'syntax' | 'unknown-step';
}

const DEPTH_LIMIT = 100;
const SIZE_LIMIT = 1000;
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

export function readCondition(text: string, results: LobsterResults): ReadCondition {
  const whole = text.trim();
  const message = `Unsupported condition: ${whole}`;
  const syntax = (start: number, hint?: string): ReadCondition => ({
    fault: {
      kind: 'syntax',
      start,
      end: Math.max(start + 1, Math.min(text.length, start + 1)),
      message,
      ...defined({ hint }),
    },
  });
  const lexed = conditionTokens(text);
  if (!lexed.tokens) {
    const inBraces = text.startsWith('${', lexed.at);
    return syntax(lexed.at, inBraces ? 'conditions can only read steps: write $step.json.field' : undefined);
  }
  if (lexed.tokens.length === 0) return syntax(0, 'write a condition such as $step.approved, or remove the key');
  if (lexed.tokens.length > SIZE_LIMIT) return syntax(0, `it has more than ${SIZE_LIMIT} parts: let a step work it out`);
  const parser = new ConditionParser(lexed.tokens, results);
  const expr = parser.whole();
  if (parser.unknown) {
    const { id, path, start, end } = parser.unknown;
    const hint = 'name an earlier step';
    return { fault: { kind: 'unknown-step', start, end, message: `Unknown step reference: ${id}.${path.join('.')}`, hint } };
  }
  return expr ? { expr } : syntax(parser.stoppedAt(text.length), parser.hint);
}

class ConditionParser {
  unknown: Extract<ConditionToken, { kind: 'reference' }> | undefined;
  hint: string | undefined;
  private next = 0;
  private depth = 0;

  constructor(
    private readonly tokens: readonly ConditionToken[],
    private readonly results: LobsterResults,
  ) {}

  whole(): Expr | undefined {
    const expr = this.either();
    return expr && this.next === this.tokens.length ? expr : undefined;
  }

  stoppedAt(otherwise: number): number {
    return this.tokens[this.next]?.start ?? Math.max(0, otherwise - 1);
  }

  private either(): Expr | undefined {
    return this.joined('||', () => this.joined('&&', () => this.comparison()));
  }

  private joined(operator: '||' | '&&', operand: () => Expr | undefined): Expr | undefined {
    let left = operand();
    while (left && this.take(operator)) {
      const right = operand();
      left = right && { kind: 'binary', operator: operator satisfies BinaryOperator, left, right };
    }
    return left;
  }

  private comparison(): Expr | undefined {
    const left = this.unary(false);
    const token = this.tokens[this.next];
    if (!left || token?.kind !== 'symbol' || !COMPARISONS.has(token.text)) return left;
    this.next++;
    const right = this.unary(true);
    if (!right) return undefined;
    if (token.text === '==') return call('same', left, right);
    if (token.text === '!=') return { kind: 'not', operand: call('same', left, right) };
    return call('ordered', literalExpr(token.text), left, right);
  }

  private unary(wordAllowed: boolean): Expr | undefined {
    if (!this.take('!')) return this.primary(wordAllowed);
    const operand = this.nested(() => this.unary(wordAllowed));
    return operand && negated(operand);
  }

  private primary(wordAllowed: boolean): Expr | undefined {
    if (this.take('(')) {
      const within = this.nested(() => this.either());
      if (!within || !this.take(')')) return undefined;
      return within.kind === 'binary' ? truth(within) : within;
    }
    const token = this.tokens[this.next];
    switch (token?.kind) {
      case 'literal':
        this.next++;
        return literalExpr(token.value);
      case 'reference':
        this.next++;
        return this.reference(token);
      case 'word':
        if (!wordAllowed) {
          this.hint = `a bare word is allowed only on the right of a comparison: write '${token.value}' in quotes, or $step.field`;
          return undefined;
        }
        this.next++;
        return literalExpr(token.value);
      default:
        return undefined;
    }
  }

  private reference(token: Extract<ConditionToken, { kind: 'reference' }>): Expr {
    const result = this.results.find(token.id);
    if (result) return valueOfResult(result, token.path);
    this.unknown ??= token;
    return literalExpr(null);
  }

  private take(symbol: string): boolean {
    const token = this.tokens[this.next];
    if (token?.kind !== 'symbol' || token.text !== symbol) return false;
    this.next++;
    return true;
  }

  private nested(part: () => Expr | undefined): Expr | undefined {
    if (++this.depth > DEPTH_LIMIT) {
      this.hint = 'it is nested too deeply: let a step work it out';
      return undefined;
    }
    const found = part();
    this.depth--;
    return found;
  }
}

/** Negates an operand. If two negations already make it a truth value, one is taken back. */
function negated(operand: Expr): Expr {
  return operand.kind === 'not' && operand.operand.kind === 'not' ? operand.operand : { kind: 'not', operand };
}

/** Makes an operand a truth value: `&&` and `||` return true or false in Lobster, but the deciding value in the language itself. */
function truth(operand: Expr): Expr {
  return { kind: 'not', operand: { kind: 'not', operand } };
}
