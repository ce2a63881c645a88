import type { Expr, Template } from '../../plan/expressions/expression';
import { isStateFunction, STATE_FUNCTIONS, VALUE_FUNCTIONS, valueFunction } from '../../plan/expressions/functions';
import { copyField } from '../../plan/text/spelled-json';
import { unreachable } from '../../plan/unreachable';
import type { Report } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { foreignWordHint } from '../language/foreign-word-hint';
import { checkLookalike } from './lookalikes';
import type { Names } from './names';
import { checkEnum, checkReachable, resolveName, unknownName } from './reference';
import type { Syntax, TemplateSyntax } from './syntax';

/**
 * Resolves the names in an expression: `Syntax` to the plan's `Expr`. Both spellings of a reference become one. Every mistake is reported;
 * the result is undefined if there was one.
 */
export function resolveTemplate(template: TemplateSyntax, names: Names, report: Report): Template | undefined {
  const pieces = allOf(
    template.map((piece) => {
      if (typeof piece === 'string') return piece;
      if (piece.kind !== 'lookalike') {
        const expr = resolve(piece, names, report);
        return expr && withRecords(expr);
      }
      checkLookalike(piece, names, report);
      return piece.text;
    }),
  );
  return pieces && joined(pieces);
}

/** Templates are rendered where no states are known, so there a step's end is read from its record. */
function withRecords(expr: Expr): Expr {
  switch (expr.kind) {
    case 'call': {
      const [asked] = expr.arguments;
      if (expr.function === 'always') return { kind: 'literal', value: true };
      if (isStateFunction(expr.function) && asked?.kind === 'output')
        return { kind: 'record', step: asked.step, field: expr.function === 'skipped' ? 'skipped' : 'error', path: [] };
      return { ...expr, arguments: expr.arguments.map(withRecords) };
    }
    case 'binary':
      return { ...expr, left: withRecords(expr.left), right: withRecords(expr.right) };
    case 'not':
      return { ...expr, operand: withRecords(expr.operand) };
    case 'array':
      return { ...expr, items: expr.items.map(withRecords) };
    default:
      return expr;
  }
}

/** Joins neighbouring pieces of text. */
function joined(pieces: Template): Template {
  const whole: Template = [];
  for (const piece of pieces) {
    const last = whole[whole.length - 1];
    if (typeof piece === 'string' && typeof last === 'string') whole[whole.length - 1] = last + piece;
    else whole.push(piece);
  }
  return whole;
}

export function resolve(syntax: Syntax, names: Names, report: Report): Expr | undefined {
  switch (syntax.kind) {
    case 'literal':
      return literal(syntax);
    case 'array': {
      const items = allOf(syntax.items.map((item) => resolve(item, names, report)));
      return items && { kind: 'array', items };
    }
    case 'name':
      return resolveName(syntax, names, report);
    case 'not': {
      const operand = resolve(syntax.operand, names, report);
      return operand && { kind: 'not', operand };
    }
    case 'binary':
      return resolveBinary(syntax, names, report);
    case 'call':
      return resolveCall(syntax, names, report);
    default:
      return unreachable(syntax);
  }
}

function allOf<T>(parts: readonly (T | undefined)[]): T[] | undefined {
  const found = parts.filter((part): part is T => part !== undefined);
  return found.length === parts.length ? found : undefined;
}

function resolveBinary(syntax: Extract<Syntax, { kind: 'binary' }>, names: Names, report: Report): Expr | undefined {
  const left = resolve(syntax.left, names, report);
  const right = resolve(syntax.right, names, report);
  if (!left || !right) return undefined;
  if (syntax.operator === '==' || syntax.operator === '!=') {
    checkEnum(left, syntax.right, names, report);
    checkEnum(right, syntax.left, names, report);
  }
  if (syntax.operator === 'in' && syntax.right.kind === 'array') {
    for (const item of syntax.right.items) checkEnum(left, item, names, report);
  }
  return { kind: 'binary', operator: syntax.operator, left, right };
}

function resolveCall(syntax: Extract<Syntax, { kind: 'call' }>, names: Names, report: Report): Expr | undefined {
  const { function: name, functionAt } = syntax;
  if (isStateFunction(name)) return resolveStateCall(syntax, name === 'always' ? 0 : 1, names, report);
  const known = valueFunction(name);
  const args = allOf(syntax.arguments.map((argument) => resolve(argument, names, report)));
  if (!known) {
    const all = [...STATE_FUNCTIONS, ...VALUE_FUNCTIONS.map((f) => f.name)];
    const hint = foreignWordHint('function in an expression', name) ?? didYouMean(name, all, `known: ${all.join(', ')}`);
    report('expression.unknown-function', functionAt, `there is no function "${name}"`, hint);
    return undefined;
  }
  if (syntax.arguments.length !== known.parameters.length) {
    const form = `${name}(${known.parameters.join(', ')})`;
    report(
      'expression.wrong-arguments',
      syntax.at,
      `${form} is called with ${syntax.arguments.length} arguments`,
      `it takes ${known.parameters.length}`,
    );
    return undefined;
  }
  return args && { kind: 'call', function: name, arguments: args };
}

function resolveStateCall(syntax: Extract<Syntax, { kind: 'call' }>, arity: 0 | 1, names: Names, report: Report): Expr | undefined {
  const name = syntax.function;
  const [argument, more] = syntax.arguments;
  if (arity === 0 && !argument) return { kind: 'call', function: name, arguments: [] };
  if (arity === 0 || !argument || more || argument.kind !== 'name' || argument.path.length > 0) {
    report(
      'expression.wrong-arguments',
      syntax.at,
      arity === 0 ? `${name}() takes nothing` : `${name}() takes the id of one step`,
      `write ${name}(${arity === 0 ? '' : 'step'})`,
    );
    return undefined;
  }
  const step = names.step(argument.name);
  if (!step) return unknownName({ ...argument, dollar: true }, () => names.stepIds(), 'it is not a step', names, report);
  if (!checkReachable(step.id, argument.nameAt, names, report)) return undefined;
  return { kind: 'call', function: name, arguments: [{ kind: 'output', step: step.id, path: [] }] };
}

function literal(syntax: Extract<Syntax, { kind: 'literal' }>): Expr {
  const expr: Expr = { kind: 'literal', value: null };
  copyField(syntax, 'value', expr);
  return expr;
}
