import { jsonText } from '../text/json-text';
import { shortened } from '../text/shortened';
import { plain } from '../text/spelled-json';
import { type ExpressionScope, evaluateSpelled, truthy } from './evaluate';
import type { Expr } from './expression';
import { writeExpr } from './write-expression';

/** The scheduler's reason for skipping a step whose `when` is false; the compared values follow. */
export const CONDITION_IS_FALSE = 'its condition is false';

const VALUE_CHARACTERS = 60;
const WHOLE_CHARACTERS = 300;

/**
 * Explains why a condition is false: the part of it that decides, and the values in that. Each value is cut, and shown as it is in the
 * scope; control values of a run contain no secrets.
 */
export function explainFalse(condition: Expr, scope: ExpressionScope): string {
  const text = `${CONDITION_IS_FALSE}: ${falseParts(condition, scope)
    .map((part) => describePart(part, scope))
    .join('; ')}`;
  return shortened(text, WHOLE_CHARACTERS);
}

/** The first false part of a conjunction (`&&`), and all parts of a disjunction (`||`). */
function falseParts(expr: Expr, scope: ExpressionScope): Expr[] {
  if (expr.kind !== 'binary') return [expr];
  const { operator, left, right } = expr;
  if (operator === '||') return [...falseParts(left, scope), ...falseParts(right, scope)];
  if (operator !== '&&') return [expr];
  return truthy(plain(evaluateSpelled(left, scope))) ? falseParts(right, scope) : falseParts(left, scope);
}

function describePart(part: Expr, scope: ExpressionScope): string {
  const written = writeExpr(part);
  const sides = sidesOf(part).filter(({ kind }) => kind !== 'literal');
  const values = [...new Set(sides.map((side) => `${writeExpr(side)} is ${valueText(side, scope)}`))];
  return sides.length === 0 || sides[0] === part ? (values[0] ?? written) : `${written}, where ${values.join(' and ')}`;
}

/** The operands of a part whose values are shown. */
function sidesOf(part: Expr): Expr[] {
  switch (part.kind) {
    case 'binary':
      return [part.left, part.right];
    case 'not':
      return sidesOf(part.operand).length > 1 ? sidesOf(part.operand) : [part.operand];
    case 'call':
      return part.arguments.some(({ kind }) => kind === 'literal') || part.arguments.length > 1 ? part.arguments : [part];
    default:
      return [part];
  }
}

function valueText(expr: Expr, scope: ExpressionScope): string {
  return shortened(jsonText(evaluateSpelled(expr, scope)), VALUE_CHARACTERS);
}
