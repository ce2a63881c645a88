import { jsonText, plain } from '../text/json-text';
import { type ExpressionScope, evaluateSpelled, truthy } from './evaluate';
import type { Expr } from './expression';
import { writeExpr } from './write-expression';

/** As the scheduler says it of a step whose `when` is false; what was compared follows. */
export const CONDITION_IS_FALSE = 'its condition is false';

const VALUE_CHARACTERS = 60;
const WHOLE_CHARACTERS = 300;

/**
 * Why a condition is false: the part of it that decides, and the values in that. Each is cut, and shown as it is in the scope, which
 * has no secrets where it is that of a run's control values.
 */
export function explainFalse(condition: Expr, scope: ExpressionScope): string {
  const text = `${CONDITION_IS_FALSE}: ${falseParts(condition, scope)
    .map((part) => describePart(part, scope))
    .join('; ')}`;
  return cut(text, WHOLE_CHARACTERS);
}

/** The first that is false of what is joined by `&&`, and all of what is joined by `||`. */
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

/** What is looked at in it. */
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
  return cut(jsonText(evaluateSpelled(expr, scope)), VALUE_CHARACTERS);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
