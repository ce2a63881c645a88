import { type Expr, RECORD_FIELDS, type RecordField, RUN_FIELDS } from '../../plan/expression';
import { type Json, sameJson } from '../../plan/json';
import type { StepKind } from '../../plan/step';
import type { Report } from '../diagnostics/diagnostic';
import { didYouMean, listWords } from '../diagnostics/suggest';
import { enumOf, schemaAt } from './schema-path';
import type { NameSyntax, Syntax } from './syntax';

/** What the names in an expression can mean, where it stands. */
export interface Names {
  step(id: string): KnownStep | undefined;
  stepIds(): Iterable<string>;
  hasArg(name: string): boolean;
  argNames(): Iterable<string>;
  /** Whether the step is settled before this expression is evaluated. */
  isUpstream(id: string): boolean;
}

export interface KnownStep {
  id: string;
  /** Absent where it did not read. */
  kind?: StepKind;
  /** JSON Schema of its output, where it has one. */
  schema?: Json;
}

export function resolveName(syntax: NameSyntax, names: Names, report: Report): Expr | undefined {
  const { name, path } = syntax;
  if (syntax.dollar) return resolveStep(syntax, names, report);
  const [first, ...rest] = path;
  if (name === 'args' && first) {
    if (typeof first.key === 'string' && names.hasArg(first.key))
      return { kind: 'arg', name: first.key, path: rest.map((part) => part.key) };
    report(
      'expression.unknown-name',
      first.at,
      `there is no arg "${first.key}"`,
      didYouMean(String(first.key), names.argNames(), 'args are declared under `args:`'),
    );
    return undefined;
  }
  if (name === 'run') {
    const field = RUN_FIELDS.find((candidate) => candidate === first?.key);
    if (field !== undefined && rest.length === 0) return { kind: 'run', field };
    report(
      'expression.unknown-field',
      first?.at ?? syntax.at,
      `a run has no "${first?.key ?? ''}"`,
      `known: ${RUN_FIELDS.map((f) => `run.${f}`).join(', ')}`,
    );
    return undefined;
  }
  if (names.step(name)) return resolveStep(syntax, names, report);
  if (names.hasArg(name)) return { kind: 'arg', name, path: path.map((part) => part.key) };
  return unknownName(syntax, [...names.stepIds(), ...names.argNames()], 'it is neither a step nor an arg', report);
}

export function unknownName(syntax: NameSyntax, candidates: string[], what: string, report: Report): undefined {
  const { name } = syntax;
  const text = syntax.path.length === 0 && !syntax.dollar ? `text is written in quotes: "${name}"` : undefined;
  report('expression.unknown-name', syntax.nameAt, `"${name}" is not known: ${what}`, didYouMean(name, candidates, text));
  return undefined;
}

function resolveStep(syntax: NameSyntax, names: Names, report: Report): Expr | undefined {
  const step = names.step(syntax.name);
  if (!step) return unknownName(syntax, [...names.stepIds()], 'it is not a step', report);
  if (!names.isUpstream(step.id)) return notUpstream(syntax, report);
  const [first, ...rest] = syntax.path;
  if (!syntax.dollar || first === undefined) return resolveOutput(syntax, step, syntax.path, report);
  if (first.key === 'json') return resolveOutput(syntax, step, rest, report);
  const record = RECORD_FIELDS.find((candidate) => candidate === first.key);
  if (record !== undefined && hasRecord(step.kind, record))
    return { kind: 'record', step: step.id, field: record, path: rest.map((part) => part.key) };
  const known = ['json', ...RECORD_FIELDS.filter((field) => hasRecord(step.kind, field))];
  const hint = `write $${step.id}.json.${first.key} for a field of its output; its record has ${known.join(', ')}`;
  report('expression.unknown-field', first.at, `the record of step "${step.id}" has no "${first.key}"`, hint);
  return undefined;
}

export function notUpstream(syntax: NameSyntax, report: Report): undefined {
  const hint = `let "${syntax.name}" run first: by \`depends_on\`, or by its place where steps run in order`;
  report('expression.not-upstream', syntax.nameAt, `step "${syntax.name}" is not upstream: its result is not there yet`, hint);
  return undefined;
}

function hasRecord(kind: StepKind | undefined, field: RecordField): boolean {
  if (kind === undefined) return true;
  if (field === 'stdout') return kind === 'command';
  if (field === 'approved' || field === 'approvedBy' || field === 'response' || field === 'subject') return kind === 'approval';
  return true;
}

export function hasOutput(kind: StepKind | undefined): boolean {
  return kind === undefined || kind === 'agent' || kind === 'review' || kind === 'command';
}

function resolveOutput(syntax: NameSyntax, step: KnownStep, path: NameSyntax['path'], report: Report): Expr | undefined {
  if (!hasOutput(step.kind)) {
    const fields: string[] = RECORD_FIELDS.filter((field) => hasRecord(step.kind, field));
    const meant = fields.find((field) => field === path[0]?.key);
    const hint =
      meant === undefined ? `read its record: ${fields.map((field) => `$${step.id}.${field}`).join(', ')}` : `write $${step.id}.${meant}`;
    report('expression.no-output', syntax.nameAt, `step "${step.id}" of kind "${step.kind}" puts out nothing`, hint);
    return undefined;
  }
  const keys = path.map((part) => part.key);
  const answer = step.schema === undefined ? undefined : schemaAt(step.schema, keys);
  if (answer?.kind === 'absent') {
    const part = path[answer.index];
    const whole = [step.id, ...keys.slice(0, answer.index)].join('.');
    const hint = didYouMean(String(part?.key), answer.known, answer.known.length > 0 ? `known: ${answer.known.join(', ')}` : undefined);
    report('expression.unknown-field', part?.at ?? syntax.at, `the schema of "${whole}" has no "${part?.key}"`, hint);
    return undefined;
  }
  return { kind: 'output', step: step.id, path: keys };
}

/** A comparison that can never hold. With null it can: a missing value is null. */
export function checkEnum(reference: Expr, literal: Syntax, names: Names, report: Report): void {
  if (reference.kind !== 'output' || literal.kind !== 'literal' || literal.value === null) return;
  const schema = names.step(reference.step)?.schema;
  const answer = schema === undefined ? undefined : schemaAt(schema, reference.path);
  const allowed = answer?.kind === 'schema' ? enumOf(answer.schema) : undefined;
  if (!allowed || allowed.some((value) => sameJson(value, literal.value))) return;
  const words = allowed.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const culprit = typeof literal.value === 'string' ? literal.value : JSON.stringify(literal.value);
  const what = [reference.step, ...reference.path].join('.');
  report(
    'expression.not-in-enum',
    literal.at,
    `"${what}" is never "${culprit}"`,
    didYouMean(culprit, words, `its schema has ${listWords(words)}`),
  );
}
