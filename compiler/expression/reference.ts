import { traitsOf } from '../../kinds/traits';
import { type Expr, RUN_FIELDS, type RunField } from '../../plan/expressions/expression';
import { RUN_END_FIELDS, RUN_END_STATES } from '../../plan/run/run-end';
import { sameJson } from '../../plan/text/json';
import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import { didYouMean, listWords, nearest } from '../diagnostics/suggest';
import { foreignWordHint } from '../language/foreign-word-hint';
import type { Reachability } from '../step-positions';
import { type KnownStep, type Names, recordsOf } from './names';
import { OPEN, type OutputShape, shapeAt, valuesOf } from './output-shape';
import type { NameSyntax, Syntax } from './syntax';

/** Resolves a name and its path to what it means. Undefined if and only if a mistake was reported. */
export function resolveName(syntax: NameSyntax, names: Names, report: Report): Expr | undefined {
  const { name, path } = syntax;
  const [first, ...rest] = path;
  if (syntax.dollar) return names.step(name) || !names.variable(name) ? resolveStep(syntax, names, report) : item(syntax, names, report);
  if (name === 'args' && first) {
    const shape = typeof first.key === 'string' ? names.arg(first.key) : undefined;
    if (shape) return argument(String(first.key), shape, rest, report);
    const hint = () => didYouMean(String(first.key), names.argNames(), 'args are declared under `args:`');
    report('expression.unknown-name', first.at, `there is no arg "${first.key}"`, hint);
    return undefined;
  }
  if (name === 'run') {
    const field = RUN_FIELDS.find((candidate) => candidate === first?.key);
    if (field !== undefined && rest.length === 0) return runField(field, first?.at ?? syntax.at, names, report);
    const known = `known: ${RUN_FIELDS.map((f) => `run.${f}`).join(', ')}`;
    report('expression.unknown-field', first?.at ?? syntax.at, `a run has no "${first?.key ?? ''}"`, known);
    return undefined;
  }
  if (names.step(name)) return resolveStep(syntax, names, report);
  const shape = names.arg(name);
  if (shape) return argument(name, shape, path, report);
  if (names.variable(name)) return item(syntax, names, report);
  const candidates = () => [...names.stepIds(), ...names.argNames(), ...names.variableNames()];
  const others = names.beforeRun ? `only ${listWords([...names.variableNames()])} are` : 'it is neither a step nor an arg';
  return unknownName(syntax, candidates, others, names, report);
}

export function unknownName(syntax: NameSyntax, candidates: () => Iterable<string>, what: string, names: Names, report: Report): undefined {
  const { name } = syntax;
  const hint = () => ofAnotherPlace(syntax, names) ?? didYouMean(name, candidates(), ofNone(syntax));
  report('expression.unknown-name', syntax.nameAt, `"${name}" is not known: ${what}`, hint);
  return undefined;
}

/** Usually a variable of the environment. */
const UPPER_CASE = /^[A-Z][A-Z0-9_]*$/;

/** What such a name means elsewhere: to the shell, as an arg, in another system. */
function ofAnotherPlace({ name, dollar, path }: NameSyntax, names: Names): string | undefined {
  if (dollar && names.arg(name)) {
    const whole = ['args', name, ...path.map((part) => part.key)].join('.');
    return `"${name}" is an arg: write \`${whole}\`, and \`\${${whole}}\` within a text`;
  }
  if (dollar && (name === 'args' || name === 'run') && path.length > 0) {
    return `write \`${[name, ...path.map((part) => part.key)].join('.')}\`, without the \`$\``;
  }
  const known = [...names.argNames(), ...names.stepIds()].filter((one) => UPPER_CASE.test(one));
  if (UPPER_CASE.test(name) && path.length === 0 && nearest(name, known) === undefined) {
    if (names.inShell) return `write \`$${name}\` for the shell’s variable`;
    return `the environment is not read here: declare an arg under \`args:\`, or let a step print it with \`run: echo "$${name}"\``;
  }
  return foreignWordHint('name in an expression', name);
}

function ofNone({ name, path, dollar }: NameSyntax): string | undefined {
  return path.length === 0 && !dollar ? `text is written in quotes: "${name}"` : undefined;
}

/** How the run ended is known only in `finally`. */
function runField(field: RunField, at: SourceSpan, names: Names, report: Report): Expr | undefined {
  if (names.beforeRun) {
    report('expression.not-upstream', at, 'there is no run yet', `read ${[...names.variableNames()].join(' or ')}`);
    return undefined;
  }
  if (names.afterWork || !RUN_END_FIELDS.includes(field)) return { kind: 'run', field };
  report('expression.not-upstream', at, `run.${field} is not known yet: the run has not ended`, 'read it in a step of `finally`');
  return undefined;
}

type Steps = NameSyntax['path'];

function argument(name: string, shape: OutputShape, path: Steps, report: Report): Expr | undefined {
  return hasPath(name, shape, path, report) ? { kind: 'arg', name, path: path.map((part) => part.key) } : undefined;
}

/** A loop's variable. In Lobster's spelling it has a record like a step, with `.json` as its only field. */
function item(syntax: NameSyntax, names: Names, report: Report): Expr | undefined {
  const { name } = syntax;
  const [first, ...rest] = syntax.path;
  const path = syntax.dollar && first?.key === 'json' ? rest : syntax.path;
  if (syntax.dollar && first && path === syntax.path) {
    report(
      'expression.unknown-field',
      first.at,
      `$${name} has no "${first.key}"`,
      `write ${name}.${first.key} or $${name}.json.${first.key}`,
    );
    return undefined;
  }
  const shape = names.variable(name);
  if (!shape || !hasPath(name, shape, path, report)) return undefined;
  return { kind: 'variable', name, path: path.map((part) => part.key) };
}

function resolveStep(syntax: NameSyntax, names: Names, report: Report): Expr | undefined {
  const step = names.step(syntax.name);
  if (!step) return unknownName(syntax, () => [...names.stepIds(), ...names.variableNames()], 'it is not a step', names, report);
  if (!checkReachable(step.id, syntax.nameAt, names, report)) return undefined;
  const [first, ...rest] = syntax.path;
  if (!syntax.dollar || first === undefined) return resolveOutput(syntax, step, syntax.path, report);
  if (first.key === 'json') return resolveOutput(syntax, step, rest, report);
  const records = recordsOf(step);
  const field = records.find((candidate) => candidate === first.key);
  if (field === undefined) {
    const hint = `write $${step.id}.json.${first.key} for a field of its output; its record has ${['json', ...records].join(', ')}`;
    report('expression.unknown-field', first.at, `the record of step "${step.id}" has no "${first.key}"`, hint);
    return undefined;
  }
  if (
    field === 'response' &&
    step.kind !== undefined &&
    traitsOf(step.kind).gate === 'input' &&
    !hasPath(`$${step.id}.response`, step.output, rest, report)
  )
    return undefined;
  return { kind: 'record', step: step.id, field, path: rest.map((part) => part.key) };
}

/** Reports a step that cannot be read from here. */
export function checkReachable(id: string, at: SourceSpan, names: Names, report: Report): boolean {
  const found = names.standing(id);
  if (found === 'upstream') return true;
  const code = found === 'in-loop' || found === 'in-rounds' ? 'expression.in-loop' : 'expression.not-upstream';
  report(code, at, UNREADABLE[found](id), found === 'before-all' ? BEFORE_ALL : names.wayTo(id));
  return false;
}

const BEFORE_ALL = 'read args or run, or give the step that needs it a key of its own';
const UNREADABLE: Readonly<Record<Exclude<Reachability, 'upstream'> | 'before-all', (id: string) => string>> = {
  'not-upstream': (id) => `step "${id}" is not upstream: it has no result yet`,
  around: (id) => `step "${id}" holds this step: it has no result yet`,
  'in-finally': (id) => `step "${id}" runs at the very end`,
  'before-all': (id) => `step "${id}" cannot be read here: this is made before any step runs`,
  'in-rounds': (id) => `step "${id}" runs in each round of a loop`,
  'in-loop': (id) => `step "${id}" runs once for each item of a loop`,
};

function resolveOutput(syntax: NameSyntax, step: KnownStep, path: Steps, report: Report): Expr | undefined {
  if (step.output.kind === 'none') {
    const fields: string[] = recordsOf(step);
    const meant = fields.find((field) => field === path[0]?.key);
    const hint =
      meant === undefined ? `read its record: ${fields.map((field) => `$${step.id}.${field}`).join(', ')}` : `write $${step.id}.${meant}`;
    report('expression.no-output', syntax.nameAt, `step "${step.id}" of kind "${step.kind}" has no output`, hint);
    return undefined;
  }
  if (!hasPath(step.id, step.output, path, report)) return undefined;
  return { kind: 'output', step: step.id, path: path.map((part) => part.key) };
}

function hasPath(name: string, shape: OutputShape, path: Steps, report: Report): boolean {
  const keys = path.map((part) => part.key);
  const answer = shapeAt(shape, keys);
  if (answer.kind === 'found') return true;
  const part = path[answer.index];
  if (!part) return true;
  const whole = [name, ...keys.slice(0, answer.index)].join('.');
  const known = answer.known.length > 0 ? `known: ${answer.known.slice(0, LISTED).join(', ')}` : undefined;
  const hint = () => didYouMean(String(part.key), answer.known, known);
  report('expression.unknown-field', part.at, `the schema of "${whole}" has no "${part.key}"`, hint);
  return false;
}

const END_STATE: OutputShape = { kind: 'schema', root: { enum: [...RUN_END_STATES] }, within: [] };

/** How many fields or values a hint lists. */
const LISTED = 20;

/** Reports a comparison that can never hold. A comparison with null can: a missing value is null. */
export function checkEnum(reference: Expr, literal: Syntax, names: Names, report: Report): void {
  if (literal.kind !== 'literal' || literal.value === null) return;
  const place = placeOf(reference, names);
  const allowed = valuesOf(shapeOfExpression(reference, names));
  if (!place || !allowed || allowed.some((value) => sameJson(value, literal.value))) return;
  const words = allowed.slice(0, LISTED).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const culprit = typeof literal.value === 'string' ? literal.value : JSON.stringify(literal.value);
  const what = [place.name, ...place.path].join('.');
  const hint = didYouMean(culprit, words, `it is ${listWords(words)}`);
  report('expression.not-in-enum', literal.at, `"${what}" is never "${culprit}"`, hint);
}

/** What is known of an expression's value: something only if it is a reference. */
export function shapeOfExpression(expr: Expr, names: Names): OutputShape {
  const place = placeOf(expr, names);
  const answer = place && shapeAt(place.shape, place.path);
  return answer?.kind === 'found' ? answer.shape : OPEN;
}

function placeOf(reference: Expr, names: Names): { name: string; shape: OutputShape; path: (string | number)[] } | undefined {
  const found = (name: string, shape: OutputShape | undefined) =>
    shape && (reference.kind === 'output' || reference.kind === 'arg' || reference.kind === 'variable' || reference.kind === 'record')
      ? { name, shape, path: reference.path }
      : undefined;
  switch (reference.kind) {
    case 'output':
      return found(reference.step, names.step(reference.step)?.output);
    case 'record':
      return reference.field === 'response' ? found(`$${reference.step}.response`, names.step(reference.step)?.output) : undefined;
    case 'arg':
      return found(reference.name, names.arg(reference.name));
    case 'variable':
      return found(reference.name, names.variable(reference.name));
    case 'run':
      return reference.field === 'state' ? { name: 'run.state', shape: END_STATE, path: [] } : undefined;
    default:
      return undefined;
  }
}
