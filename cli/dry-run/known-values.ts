import { asText, type ExpressionScope, evaluate, truthy } from '../../plan/expressions/evaluate';
import type { Expr, RunField, Template } from '../../plan/expressions/expression';
import { isStateFunction } from '../../plan/expressions/functions';
import { writeExpr, writePath } from '../../plan/expressions/write-expression';
import type { ScheduledFor } from '../../plan/run/run-input';
import type { Json } from '../../plan/text/json';
import { unreachable } from '../../plan/unreachable';

/**
 * What is known before a run: its args, and which steps will be skipped. Everything else is shown as `⟨what is meant⟩`.
 *
 * Invariant: a known value is exactly what the run would evaluate, by the same evaluator.
 */
export interface KnownValues {
  args: Readonly<Record<string, Json>>;
  /** Args whose value is unknown or not shown, and their replacement: a parent's output, a secret's reference. */
  standIns: ReadonlyMap<string, string>;
  /** Steps whose condition is known to be false, and those that are skipped with them. */
  skipped: ReadonlySet<string>;
  runId?: string;
  scheduled?: ScheduledFor;
}

/** The value of an expression; undefined if only the run knows it. */
export function knownValue(expr: Expr, world: KnownValues): { value: Json } | undefined {
  return isKnown(expr, world) ? { value: evaluate(expr, scopeOf(world)) } : undefined;
}

/** Renders a text with `⟨…⟩` for unknown values. `put` writes a known value. */
export function renderKnown(template: Template, world: KnownValues, put: (value: Json) => string = (value) => asText(value)): string {
  return template
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const known = knownValue(piece, world);
      return known === undefined ? placeholder(piece, world) : put(known.value);
    })
    .join('');
}

/** Renders as the run does for people and agents. */
export function renderReadable(template: Template, world: KnownValues): string {
  return renderKnown(template, world, (value) => asText(value, 'indented'));
}

/** The value of a template that is one expression, if it is known; the text of any other. */
export function renderValue(template: Template, world: KnownValues): Json {
  const [only] = template;
  const known = template.length === 1 && only !== undefined && typeof only !== 'string' ? knownValue(only, world) : undefined;
  return known === undefined ? renderKnown(template, world) : known.value;
}

/** Whether nothing in a template is left to the run. */
export function isKnownTemplate(template: Template, world: KnownValues): boolean {
  return template.every((piece) => typeof piece === 'string' || isKnown(piece, world));
}

export function placeholder(expr: Expr, { standIns }: KnownValues): string {
  const standIn = expr.kind === 'arg' ? standIns.get(expr.name) : undefined;
  if (standIn === undefined || expr.kind !== 'arg') return `⟨${writeExpr(expr)}⟩`;
  return expr.path.length === 0 ? standIn : `⟨${standIn.replace(/^⟨|⟩$/g, '')}${writePath(expr.path)}⟩`;
}

function isKnown(expr: Expr, world: KnownValues): boolean {
  switch (expr.kind) {
    case 'literal':
      return true;
    case 'array':
      return expr.items.every((item) => isKnown(item, world));
    case 'output':
      return world.skipped.has(expr.step);
    case 'record':
      return expr.field === 'id' || world.skipped.has(expr.step);
    case 'arg':
      return !world.standIns.has(expr.name);
    case 'run':
      return runFact(world, expr.field) !== null;
    case 'variable':
      return false;
    case 'not':
      return isKnown(expr.operand, world);
    case 'binary': {
      if (!isKnown(expr.left, world)) return false;
      const left = truthy(evaluate(expr.left, scopeOf(world)));
      if ((expr.operator === '&&' && !left) || (expr.operator === '||' && left)) return true;
      return isKnown(expr.right, world);
    }
    case 'call':
      return (expr.function === 'always' && isStateFunction(expr.function)) || expr.arguments.every((one) => isKnown(one, world));
    default:
      return unreachable(expr);
  }
}

/** The scope of what is known: a skipped step has no output, and its record says that it was skipped. */
function scopeOf(world: KnownValues): ExpressionScope {
  const { args, skipped } = world;
  return {
    output: () => undefined,
    record: (step, field) => (field === 'id' ? step : field === 'skipped' ? true : undefined),
    arg: (name) => (Object.hasOwn(args, name) ? args[name] : undefined),
    run: (field) => runFact(world, field),
    variable: () => undefined,
    state: (step) => (skipped.has(step) ? 'skipped' : 'unsettled'),
  };
}

/** Without `--at` the moment stays open: a schedule may start such a run too. */
function runFact({ runId, scheduled }: KnownValues, field: RunField): string | null {
  if (field === 'scheduled_at') return scheduled?.at ?? null;
  if (field === 'scheduled_before') return scheduled?.before ?? null;
  return field === 'id' ? (runId ?? null) : null;
}
