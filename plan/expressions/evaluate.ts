import { setApart } from '../text/fenced';
import { field, type Json, sameJson } from '../text/json';
import { jsonText } from '../text/json-text';
import { compareNumbers, isLongNumber } from '../text/numbers';
import { numberAt, plain, type Spelled, spelledList, WrittenNumber } from '../text/spelled-json';
import { unreachable } from '../unreachable';
import type { BinaryOperator, Expr, Path, RecordField, RunField, Template } from './expression';
import { contains, isStateFunction, valueFunction } from './functions';
import { internalFunction } from './internal-functions';

/**
 * Evaluates expressions. Total: no exception, no time, no randomness; a missing path is null. The caller chooses the source of values: the
 * interpreter offers control values, an activity the whole outputs.
 */
export interface ExpressionScope {
  output(step: string, path: Path): Spelled | undefined;
  record(step: string, name: RecordField): Spelled | undefined;
  arg(name: string): Spelled | undefined;
  run(name: RunField): Json;
  /** The value at a path of a loop's variable. */
  variable(name: string, path: Path): Spelled | undefined;
  state(step: string): 'done' | 'skipped' | 'failed' | 'unsettled';
  /** For readers: the words for a reference that leads to nothing, if an empty text would mislead them. */
  missing?(step: string, path: Path): string | undefined;
}

export function evaluate(expr: Expr, scope: ExpressionScope): Json {
  return plain(evaluateSpelled(expr, scope));
}

/** The value of an expression with the spelling of its numbers, for callers that write it down. */
export function evaluateSpelled(expr: Expr, scope: ExpressionScope): Spelled {
  switch (expr.kind) {
    case 'literal':
      return numberAt(expr, 'value') ?? expr.value;
    case 'array':
      return spelledList(expr.items.map((item) => evaluateSpelled(item, scope)));
    case 'output':
      return scope.output(expr.step, expr.path) ?? null;
    case 'record':
      return spelledAtPath(scope.record(expr.step, expr.field), expr.path);
    case 'arg':
      return spelledAtPath(scope.arg(expr.name), expr.path);
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

/** The value at a path, null if there is none. A list takes whole-number text as an index, as in `a.0.b`. */
export function valueAtPath(value: Json | undefined, path: Path): Json {
  return lookUp(value, path) ?? null;
}

/** Like `valueAtPath`, but undefined if there is no value: Lobster's comparisons treat that unlike null. */
export function lookUp(value: Json | undefined, path: Path): Json | undefined {
  let here: Json | undefined = value;
  for (const key of path) {
    if (Array.isArray(here)) here = /^\d+$/.test(String(key)) ? here[Number(key)] : undefined;
    else here = typeof key === 'string' ? field(here, key) : undefined;
    if (here === undefined) return undefined;
  }
  return here;
}

/** Like `valueAtPath`, with the spelling of a number. */
export function spelledAtPath(value: Spelled | object | undefined, path: Path): Spelled {
  const last = path.at(-1);
  if (last === undefined) return (value as Spelled | undefined) ?? null;
  if (value instanceof WrittenNumber) return null;
  const within = lookUp(value as Json, path.slice(0, -1));
  return (typeof within === 'object' && within !== null && numberAt(within, last)) || (lookUp(within, [last]) ?? null);
}

/**
 * The layout of JSON in text: on one line for commands and messages, indented if a person or an agent reads it. `apart`: indented, and a
 * text with a line that passes for a heading of the engine's is in a fence.
 */
export type Layout = 'line' | 'indented' | 'apart';

/** Text of a template: strings as they are, null as nothing, everything else as JSON, numbers as they were written. */
export function render(template: Template, scope: ExpressionScope, layout: Layout = 'line'): string {
  let text = '';
  let isApart = false;
  for (const piece of template) {
    const words = typeof piece === 'string' ? piece : renderPiece(piece, scope, layout);
    const shown = layout === 'apart' && typeof piece !== 'string' ? setApart(words) : words;
    const breaks = (isApart || shown !== words) && !/\n$|^$/.test(text) && !shown.startsWith('\n') && shown !== '';
    text += breaks ? `\n${shown}` : shown;
    if (shown !== '') isApart = shown !== words;
  }
  return text;
}

function renderPiece(piece: Expr, scope: ExpressionScope, layout: Layout): string {
  const value = evaluateSpelled(piece, scope);
  const words = value === null && piece.kind === 'output' ? scope.missing?.(piece.step, piece.path) : undefined;
  return words ?? asText(value, layout);
}

export function asText(value: Spelled, layout: Layout = 'line'): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return jsonText(value, { step: layout === 'line' ? '' : '  ' });
}

function binary(operator: BinaryOperator, left: Expr, right: Expr, scope: ExpressionScope): Spelled {
  const first = evaluateSpelled(left, scope);
  const a = plain(first);
  if (operator === '&&') return truthy(a) ? evaluateSpelled(right, scope) : first;
  if (operator === '||') return truthy(a) ? first : evaluateSpelled(right, scope);
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

/** Numbers with numbers and texts with texts; anything else is false. The text of a number that no double holds is that number. */
function ordered(operator: '<' | '<=' | '>' | '>=', a: Json, b: Json): boolean {
  if (isNumber(a) && isNumber(b) && (typeof a === 'string' || typeof b === 'string')) return ordered(operator, compareNumbers(a, b), 0);
  const comparable = (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string');
  if (!comparable) return false;
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}

function isNumber(value: Json): value is number | string {
  return typeof value === 'number' || (typeof value === 'string' && isLongNumber(value));
}

function call(name: string, args: readonly Expr[], scope: ExpressionScope): Spelled {
  if (isStateFunction(name)) {
    if (name === 'always') return true;
    const step = args[0];
    return step?.kind === 'output' && scope.state(step.step) === name;
  }
  if (internalFunction(name)) return callInternal(name, args, scope) ?? null;
  const given = args.map((argument) => evaluateSpelled(argument, scope));
  if (name === 'default') return given.find((value) => value !== null) ?? null;
  if (name === 'json') return jsonText(given[0] ?? null);
  return valueFunction(name)?.apply(given.map(plain)) ?? null;
}

function callInternal(name: string, args: readonly Expr[], scope: ExpressionScope): Json | undefined {
  return internalFunction(name)?.apply(args.map((argument) => evaluateOrMissing(argument, scope)));
}

/** Like `evaluate`, but undefined for a reference that cannot be resolved. */
function evaluateOrMissing(expr: Expr, scope: ExpressionScope): Json | undefined {
  switch (expr.kind) {
    case 'output':
      return plainIfThere(scope.output(expr.step, expr.path));
    case 'record':
      return lookUp(plainIfThere(scope.record(expr.step, expr.field)), expr.path);
    case 'arg':
      return lookUp(plainIfThere(scope.arg(expr.name)), expr.path);
    case 'variable':
      return plainIfThere(scope.variable(expr.name, expr.path));
    case 'call':
      return internalFunction(expr.function) ? callInternal(expr.function, expr.arguments, scope) : evaluate(expr, scope);
    default:
      return evaluate(expr, scope);
  }
}

function plainIfThere(value: Spelled | undefined): Json | undefined {
  return value === undefined ? undefined : plain(value);
}
