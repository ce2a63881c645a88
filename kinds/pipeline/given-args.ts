import type { CompiledChild } from '../../compiler/compile-context';
import type { SourceSpan } from '../../compiler/diagnostics/diagnostic';
import { didYouMean } from '../../compiler/diagnostics/suggest';
import type { StepContext } from '../../compiler/lower/step-context';
import { entryOf } from '../../compiler/read/node';
import type { WorkOf } from '../../compiler/shape/source';
import type { Template } from '../../plan/expressions/expression';
import type { ArgSpec } from '../../plan/plan';
import { isOfType, isSecretReference } from '../../plan/run/args';
import { type Json, sameJson } from '../../plan/text/json';

function argsOf({ plan }: CompiledChild): Map<string, ArgSpec> {
  return new Map(Object.entries(plan.args ?? {}));
}

/** Args that a hint lists. */
const LISTED = 20;

export function checkArgNames(work: WorkOf<'pipeline'>, child: CompiledChild, { context, place }: StepContext): void {
  const args = argsOf(child);
  const { name } = child.plan;
  const known = args.size > 0 ? `it takes ${[...args.keys()].slice(0, LISTED).join(', ')}` : 'it takes none';
  const given = work.with ?? new Map();
  for (const [arg, { keyAt: at }] of given) {
    if (args.has(arg)) continue;
    context.report('pipeline.unknown-arg', at, `"${name}" has no arg "${arg}"`, () => didYouMean(arg, args.keys(), known));
  }
  const written = (key: string) => entryOf(work.node, key);
  const at = (written('with') ?? written('workflow_args'))?.keyAt ?? work.pipeline?.at ?? place.step.at;
  for (const [arg, spec] of args) {
    if (!spec.required || given.has(arg)) continue;
    context.report('pipeline.missing-arg', at, `"${name}" needs the arg "${arg}"`, `add \`with: {${arg}: …}\``);
  }
}

export function checkArgValue(arg: string, template: Template, at: SourceSpan, child: CompiledChild, { context }: StepContext): void {
  const spec = argsOf(child).get(arg);
  if (!spec) return;
  const problem = spec.secret ? problemOfSecret(template, secretArgs(context.pipeline.args)) : problemOfValue(template, spec);
  if (problem === undefined) return;
  context.report('pipeline.bad-arg', at, `the arg "${arg}" of "${child.plan.name}" ${problem.message}`, problem.hint);
}

type Problem = { message: string; hint: string } | undefined;

function secretArgs(args: ReadonlyMap<string, { spec: ArgSpec }>): (name: string) => boolean {
  return (name) => args.get(name)?.spec.secret === true;
}

/** A secret is passed on as a reference: literally, or from an arg that is one itself. */
function problemOfSecret(template: Template, isSecretArg: (name: string) => boolean): Problem {
  const [only, more] = template;
  const handedOn = typeof only === 'object' && only.kind === 'arg' && only.path.length === 0 && isSecretArg(only.name);
  const written = literalOf(template);
  if (more === undefined && (handedOn || (written && isSecretReference(written.value)))) return undefined;
  return { message: 'is a secret', hint: 'pass a reference such as secret://env/NAME, or a secret arg of this pipeline' };
}

function problemOfValue(template: Template, spec: ArgSpec): Problem {
  const text = template.length > 1;
  if (text && spec.type && spec.type !== 'string')
    return { message: `is of type ${spec.type}, and this is text`, hint: 'pass one whole reference, which keeps its type' };
  const written = literalOf(template);
  if (!written) return undefined;
  const { value } = written;
  if (spec.type && !isOfType(value, spec.type))
    return { message: `is of type ${spec.type}, not ${JSON.stringify(value)}`, hint: 'fix the value' };
  if (!spec.enum || spec.enum.some((allowed) => sameJson(allowed, value))) return undefined;
  const words = spec.enum.map((allowed) => JSON.stringify(allowed)).join(', ');
  return { message: `is never ${JSON.stringify(value)}`, hint: `it takes ${words}` };
}

function literalOf(template: Template): { value: Json } | undefined {
  const [only, more] = template;
  if (only === undefined || more !== undefined) return undefined;
  if (typeof only === 'string') return { value: only };
  return only.kind === 'literal' ? { value: only.value } : undefined;
}
