import { field, type Json, sameJson } from '../text/json';
import { unreachable } from '../unreachable';
import type { BinaryOperator, Expr, Path, RecordField, RunField, Template } from './expression';
import { contains, isStateFunction, valueFunction } from './functions';
import { internalFunction } from './internal-functions';

/**
 * Evaluates expressions. Total: no exception, no time, no randomness; a missing path is null (language.md §4).
 * Where values come from is the caller's: the interpreter offers control values, an activity the whole outputs.
 */
export interface ExpressionScope {
  output(step: string, path: Path): Json | undefined;
  record(step: string, name: RecordField): Json | undefined;
  arg(name: string): Json | undefined;
  run(name: RunField): Json;
  /** The value at a path of a loop's variable. */
  variable(name: string, path: Path): Json | undefined;
  state(step: string): 'done' | 'skipped' | 'failed' | 'unsettled';
}

export function evaluate(expr: Expr, scope: ExpressionScope): Json {
  switch (expr.kind) {
    case 'literal':
      return expr.value;
    case 'array':
      return expr.items.map((item) => evaluate(item, scope));
    case 'output':
      return scope.output(expr.step, expr.path) ?? null;
    case 'record':
      return valueAtPath(scope.record(expr.step, expr.field), expr.path);
    case 'arg':
      return valueAtPath(scope.arg(expr.name), expr.path);
    case 'run':
      return scope.run(expr.field);
    case 'variable':
      return scope.variable(expr.name, expr.path) ?? null;
    case 'not':
      return !truthy(evaluate(expr.operand, scope));
    case 'binary':
      return binary(expr.operator, expr.left, expr.right, scope);
    case 'call':
      return call(expr.function, expr.arguments, scope);
    default:
      return unreachable(expr);
  }
}

/** null, false, 0, "" and NaN are false; every list and object is true. */
export function truthy(value: Json): boolean {
  return Boolean(value);
}

/** The value at a path, null where there is none. A list takes whole-number text as an index, as in `a.0.b`. */
export function valueAtPath(value: Json | undefined, path: Path): Json {
  return lookUp(value, path) ?? null;
}

/** As `valueAtPath`, but undefined where there is no value: Lobster's comparisons treat that unlike null. */
export function lookUp(value: Json | undefined, path: Path): Json | undefined {
  let here: Json | undefined = value;
  for (const key of path) {
    if (Array.isArray(here)) here = /^\d+$/.test(String(key)) ? here[Number(key)] : undefined;
    else here = typeof key === 'string' ? field(here, key) : undefined;
    if (here === undefined) return undefined;
  }
  return here;
}

/** How JSON is in text: on one line for commands and messages, indented where a person or an agent reads it. */
export type Layout = 'line' | 'indented';

/** Text of a template: strings as they are, null as nothing, everything else as JSON. */
export function render(template: Template, scope: ExpressionScope, layout: Layout = 'line'): string {
  return template.map((piece) => (typeof piece === 'string' ? piece : asText(evaluate(piece, scope), layout))).join('');
}

export function asText(value: Json, layout: Layout = 'line'): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return layout === 'line' ? JSON.stringify(value) : JSON.stringify(value, null, 2);
}

function binary(operator: BinaryOperator, left: Expr, right: Expr, scope: ExpressionScope): Json {
  const a = evaluate(left, scope);
  if (operator === '&&') return truthy(a) ? evaluate(right, scope) : a;
  if (operator === '||') return truthy(a) ? a : evaluate(right, scope);
  const b = evaluate(right, scope);
  switch (operator) {
    case '==':
      return sameJson(a, b);
    case '!=':
      return !sameJson(a, b);
    case 'in':
      return contains(b, a);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return ordered(operator, a, b);
    default:
      return unreachable(operator);
  }
}

/** Numbers with numbers and texts with texts; anything else is false. */
function ordered(operator: '<' | '<=' | '>' | '>=', a: Json, b: Json): boolean {
  const comparable = (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string');
  if (!comparable) return false;
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}

function call(name: string, args: readonly Expr[], scope: ExpressionScope): Json {
  if (isStateFunction(name)) {
    if (name === 'always') return true;
    const step = args[0];
    return step?.kind === 'output' && scope.state(step.step) === name;
  }
  if (internalFunction(name)) return callInternal(name, args, scope) ?? null;
  return valueFunction(name)?.apply(args.map((argument) => evaluate(argument, scope))) ?? null;
}

function callInternal(name: string, args: readonly Expr[], scope: ExpressionScope): Json | undefined {
  return internalFunction(name)?.apply(args.map((argument) => evaluateOrMissing(argument, scope)));
}

/** As `evaluate`, but undefined for a reference that cannot be resolved. */
function evaluateOrMissing(expr: Expr, scope: ExpressionScope): Json | undefined {
  switch (expr.kind) {
    case 'output':
      return scope.output(expr.step, expr.path);
    case 'record':
      return lookUp(scope.record(expr.step, expr.field), expr.path);
    case 'arg':
      return lookUp(scope.arg(expr.name), expr.path);
    case 'variable':
      return scope.variable(expr.name, expr.path);
    case 'call':
      return internalFunction(expr.function) ? callInternal(expr.function, expr.arguments, scope) : evaluate(expr, scope);
    default:
      return evaluate(expr, scope);
  }
}
