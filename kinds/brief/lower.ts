import { briefNode, isBriefFile } from '../../compiler/brief/brief-file';
import { withFlags, withOwnRoles } from '../../compiler/brief/flags';
import { readBrief } from '../../compiler/brief/read-brief';
import { resolveBrief } from '../../compiler/brief/resolve-brief';
import { type Located, sourceText } from '../../compiler/diagnostics/diagnostic';
import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { sha256 } from '../../compiler/freeze/blobs';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { checkPartIds } from '../../compiler/lower/parts/part-steps';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { missingFileHint } from '../../compiler/missing-file';
import type { MappingNode } from '../../compiler/read/node';
import type { WorkOf } from '../../compiler/shape/source';
import { besideFile } from '../../compiler/sources';
import type { ProjectBrief } from '../../plan/brief/brief';
import { scopeOf } from '../../plan/brief/role';
import { defined } from '../../plan/defined';
import type { Template } from '../../plan/expressions/expression';
import type { Form } from '../../plan/expressions/form';
import type { Sha256 } from '../../plan/run/artifact';
import type { BriefStep } from '../../plan/steps/step';
import { CONFIRM_PART, OPERATOR_PART } from './model';
import { partsOf, planningParts, rolesOf } from './parts';
import { briefTexts } from './rules/brief-texts';
import { REPORT_FIELDS, SUB_TASK_FIELDS } from './rules/report';

type BriefSource = WorkOf<'brief'>;

export const BRIEF_LOWERING: KindLowering<BriefSource> = {
  lower: briefStep,
  output: () => REPORT,
};

const fieldsOf = (names: readonly string[], rows: Readonly<Record<string, OutputShape>> = {}): OutputShape => ({
  kind: 'fields',
  fields: new Map(names.map((name) => [name, rows[name] ?? OPEN])),
});
const REPORT = fieldsOf(REPORT_FIELDS, { sub_tasks: { kind: 'list', of: fieldsOf(SUB_TASK_FIELDS) } });

function briefStep(work: BriefSource, here: StepContext): LoweredStep | undefined {
  const found = writtenIn(work, here);
  const brief = found && briefIn(work, here, found);
  if (!brief) return undefined;
  const { base, context, place } = here;
  const { until, noOperator, flags } = context.briefStart ?? {};
  const { project, briefId, mode, authorized, budgets } = brief;
  const { tokens, wallClockMs, toolCallsPerSubtask, retriesPerSubtask } = budgets;
  const roles = rolesOf(brief);
  if (until === 'plan' && brief.roles.length === 0)
    context.report(
      'brief.missing-role',
      place.step.at,
      'one agent works this brief, and nobody plans it',
      'add `roles: [planner, executor]`',
    );
  checkPartIds(here, [
    ...roles.map(({ id }) => ({ part: id, called: `the role ${id}` })),
    { part: CONFIRM_PART, called: 'the confirmation' },
    { part: OPERATOR_PART, called: 'the question to a person' },
  ]);
  const step: BriefStep = {
    ...base,
    kind: 'brief',
    ...{ project, mode, authorized: [...authorized], toolCalls: toolCallsPerSubtask, retries: retriesPerSubtask },
    // A program's reply cannot be limited beforehand: what it uses counts.
    budget: { tokens, wallClockMs, toolCallsPerStep: toolCallsPerSubtask, onUnlimited: 'allow', ...base.budget },
    ...defined({ source: found.source, briefId, until, noOperator, noShell: flags?.noShell, askTimeoutMs: brief.askTimeoutMs }),
    roles: roles.map(scopeOf),
    matter: formOf(briefTexts(brief)),
    parts: until === 'plan' ? planningParts(brief, roles, here) : partsOf(brief, roles, here),
  };
  return { step };
}

function formOf(texts: Readonly<Record<string, Template>>): Form {
  return { fields: Object.entries(texts).map(([key, template]) => [key, { template }]) };
}

/** The brief as it is written. `source`: the digest of the file that the step names. */
interface Written {
  file: string;
  node?: MappingNode;
  source?: Sha256;
}

function writtenIn({ written }: BriefSource, { context }: StepContext): Written | undefined {
  if (!written) return undefined;
  return 'inline' in written ? { file: context.file, node: written.inline } : inFile(written.file, context);
}

/** Undefined if it cannot be read, or has mistakes, all of which are reported. */
function briefIn({ roles }: BriefSource, { context, template }: StepContext, found: Written): ProjectBrief | undefined {
  const { file, sources, installation, report, briefStart: start } = context;
  if (!found.node) return undefined;
  const node = roles ? withOwnRoles(found.node, roles) : withFlags(found.node, start?.flags ?? {});
  // A brief's file is a pipeline of a step with the brief in it.
  const isInline = found.source === undefined && !isBriefFile(file);
  const source = readBrief(node, isInline ? 'template' : 'literal', report);
  return resolveBrief(source, { file: found.file, sources, installation, report, template, ...defined({ start }) });
}

function inFile(path: Located<string>, { file, sources, report }: StepContext['context']): Written | undefined {
  const where = besideFile(file, path.value);
  const text = sources.read(where);
  if (text !== undefined) {
    const node = briefNode(sourceText(where, text, path.at), report);
    return { file: where, source: sha256(text), ...defined({ node }) };
  }
  const hint = missingFileHint(path, file, sources, 'paths are relative to the folder of the pipeline');
  report('brief.missing-file', path.at, `there is no file "${path.value}"`, hint);
  return undefined;
}
