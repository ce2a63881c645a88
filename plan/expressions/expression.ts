import { isJsonObject, type Json } from '../text/json';

/**
 * The one expression grammar of the language, after the compiler: names resolved, nothing left to parse. Both spellings, `review.verdict`
 * and `$review.json.verdict`, are the same `output` reference.
 */
export type Expr =
  | { kind: 'literal'; value: Json }
  | { kind: 'array'; items: Expr[] }
  | { kind: 'output'; step: string; path: Path }
  | { kind: 'record'; step: string; field: RecordField; path: Path }
  | { kind: 'arg'; name: string; path: Path }
  | { kind: 'run'; field: RunField }
  | { kind: 'variable'; name: string; path: Path }
  | { kind: 'not'; operand: Expr }
  | { kind: 'binary'; operator: BinaryOperator; left: Expr; right: Expr }
  | { kind: 'call'; function: string; arguments: Expr[] };

/** Keys and indexes from the outside in: `a.b[0]` is `['a', 'b', 0]`. */
export type Path = (string | number)[];

export const BINARY_OPERATORS = ['&&', '||', '==', '!=', '<', '<=', '>', '>=', 'in'] as const;
export type BinaryOperator = (typeof BINARY_OPERATORS)[number];

/** What `$step.…` reaches in addition to the output itself, which is `.json` and compiles to an `output` reference. */
export const RECORD_FIELDS = [
  'id',
  'stdout',
  'approved',
  'initiatedBy',
  'approvedBy',
  'response',
  'subject',
  'skipped',
  'error',
  'errorMessage',
  'missing',
] as const;
export type RecordField = (typeof RECORD_FIELDS)[number];

export const RUN_FIELDS = ['id', 'startedAt', 'scheduled_at', 'scheduled_before', 'state', 'error', 'failed_step'] as const;
export type RunField = (typeof RUN_FIELDS)[number];

/** Text with `${…}` in it: literal pieces and expressions in turn. A template without expressions is one string. */
export type Template = (string | Expr)[];

/** Whether stored data is a template: the compiler wrote it, so a piece is known by its outline. */
export function isTemplate(value: unknown): value is Template {
  return (
    Array.isArray(value) && value.every((piece) => typeof piece === 'string' || (isJsonObject(piece) && typeof piece['kind'] === 'string'))
  );
}

/** Every sub-expression, the expression itself first. */
export function* subexpressions(expr: Expr): Generator<Expr> {
  yield expr;
  switch (expr.kind) {
    case 'array':
      for (const item of expr.items) yield* subexpressions(item);
      return;
    case 'not':
      yield* subexpressions(expr.operand);
      return;
    case 'binary':
      yield* subexpressions(expr.left);
      yield* subexpressions(expr.right);
      return;
    case 'call':
      for (const argument of expr.arguments) yield* subexpressions(argument);
      return;
    default:
      return;
  }
}
