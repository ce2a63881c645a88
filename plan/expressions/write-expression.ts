import { unreachable } from '../unreachable';
import type { Expr, Path, Template } from './expression';
import { isStateFunction, VALUE_FUNCTIONS } from './functions';

/**
 * Writes expressions and templates as a person would. What the compiler added by itself (the semantics of another dialect) is left out: the
 * text shows the meaning, and is for people alone.
 */
export function writeExpr(expr: Expr): string {
  return write(expr, 0);
}

/** How strongly an operator binds; an operand that binds less is in brackets. */
const BINDING = { or: 1, and: 2, compare: 3, not: 4 } as const;

function write(expr: Expr, around: number): string {
  switch (expr.kind) {
    case 'literal':
      return JSON.stringify(expr.value);
    case 'array':
      return `[${expr.items.map((item) => write(item, 0)).join(', ')}]`;
    case 'output':
      return expr.step + writePath(expr.path);
    case 'record':
      return `$${expr.step}.${expr.field}${writePath(expr.path)}`;
    case 'arg':
      return `args.${expr.name}${writePath(expr.path)}`;
    case 'run':
      return `run.${expr.field}`;
    case 'variable':
      return expr.name + writePath(expr.path);
    case 'not':
      return bracketed(`!${write(expr.operand, BINDING.not)}`, BINDING.not, around);
    case 'binary': {
      const binds = expr.operator === '||' ? BINDING.or : expr.operator === '&&' ? BINDING.and : BINDING.compare;
      // Comparisons do not chain.
      const left = write(expr.left, binds === BINDING.compare ? BINDING.not : binds);
      return bracketed(`${left} ${expr.operator} ${write(expr.right, binds + 1)}`, binds, around);
    }
    case 'call':
      return writeCall(expr.function, expr.arguments, around);
    default:
      return unreachable(expr);
  }
}

function writeCall(name: string, given: readonly Expr[], around: number): string {
  if (isStateFunction(name) || VALUE_FUNCTIONS.some((known) => known.name === name)) {
    return `${name}(${given.map((argument) => write(argument, 0)).join(', ')})`;
  }
  return writeInternal(name, given, around);
}

/** The words of a Lobster file: comparisons, and otherwise the reference itself. */
function writeInternal(name: string, given: readonly Expr[], around: number): string {
  const [first, second, third] = given;
  if (first === undefined) return 'null';
  const compared = (left: Expr, operator: string, right: Expr): string =>
    bracketed(`${write(left, BINDING.not)} ${operator} ${write(right, BINDING.not)}`, BINDING.compare, around);
  if (name === 'lobster.same' && second !== undefined) return compared(first, '==', second);
  if (name === 'lobster.ordered' && first.kind === 'literal' && second !== undefined && third !== undefined)
    return compared(second, String(first.value), third);
  return write(first, around);
}

function bracketed(text: string, binds: number, around: number): string {
  return binds < around ? `(${text})` : text;
}

/** `.a[0].b` */
export function writePath(path: Path): string {
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
}

/** Writes a template as in a file: text with `${…}` in it. */
export function writeTemplate(template: Template): string {
  return template.map((piece) => (typeof piece === 'string' ? piece : `\${${writeExpr(piece)}}`)).join('');
}
