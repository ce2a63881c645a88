import { prints } from '../../kinds/questions';
import { defined } from '../../plan/defined';
import { type ExpressionScope, type Layout, render, valueAtPath } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import type { GateForm } from '../../plan/people/gate';
import type { AfterApproval, Step } from '../../plan/steps/step';
import type { Readable, RenderedApproval } from '../../plan/steps/step-activity';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { beginning, shortened } from '../../plan/text/shortened';
import type { LoadedRun } from '../run/loaded-run';
import type { RunSecrets } from '../run/run-secrets';
import { inputScope, templateValue } from '../run/template-scope';
import type { Toolbox } from '../toolbox';
import { QUESTION_LIMIT } from './gate-question';

/** The output of a step, as the question after it sees it. */
export interface OwnOutput {
  /** Null if it output nothing. */
  value: Json;
  text: string;
}

/** The limit of what is shown if the author names nothing. */
const PREVIEW_CHARACTERS = 2000;
/** The limit of the items in a form, as JSON; further ones are left out of the form, never of the output. */
const ITEMS_CHARACTERS = 1024 * 1024;

/**
 * The question of a step with `approval` once its work is done. A command's output of `requiresApproval`, or with a `prompt` of its own,
 * wins over the file; in a Lobster file the caller's environment says who asks and who must decide if neither does. The form is stored: a
 * decision binds to its digest.
 */
export async function renderApproval(
  toolbox: Toolbox,
  run: LoadedRun,
  step: Step,
  readable: Readable,
  own: OwnOutput,
): Promise<RenderedApproval> {
  const declared = step.approval ?? {};
  const shown = await inputScope(toolbox, run, readable, 'people');
  const { secrets } = shown;
  const scope = withOwn(shown, step.id, own);
  const printed = prints(step) ? printedRequest(own.value) : undefined;
  const asked = run.plan.dialect === 'lobster' ? lobsterQuestion : declaredQuestion;
  const { prompt, items, preview } = printed
    ? printedQuestion(printed)
    : asked(run, step, declared, scope, { ...own, preview: previewOf(own, secrets) });
  const identity = {
    ...(run.plan.dialect === 'lobster' ? await callerIdentity(toolbox, run) : {}),
    ...declaredIdentity(declared, scope),
    ...printedIdentity(printed),
  };
  const form: GateForm = {
    prompt: secrets.mask(prompt),
    items: fitting(items).map((item) => secrets.maskJson(item)),
    ...(preview ? { preview: secrets.mask(preview) } : {}),
    ...identity,
  };
  const name = `${step.id}.approval.json`;
  const stored = await toolbox.artifacts.put(jsonText(form), { mediaType: 'application/json', name });
  return { form: stored, question: shortened(form.prompt.trim() || unasked(run, step), QUESTION_LIMIT), ...identity };
}

function withOwn(scope: ExpressionScope, id: string, own: OwnOutput): ExpressionScope {
  return {
    ...scope,
    output: (step, path) => (step === id ? valueAtPath(own.value, path) : scope.output(step, path)),
    record: (step, name) => (step === id && name === 'stdout' ? own.text : scope.record(step, name)),
  };
}

type PreviewedOutput = OwnOutput & { preview: string };
type Question = Pick<GateForm, 'prompt' | 'preview'> & { items: Json[] };

function declaredQuestion(run: LoadedRun, step: Step, declared: AfterApproval, scope: ExpressionScope, own: PreviewedOutput): Question {
  return {
    prompt: textOf(declared.prompt, scope, 'apart') ?? unasked(run, step),
    items: asItems(declared.items ? templated(declared.items, scope) : structured(own)),
    preview: textOf(declared.preview, scope, 'apart') ?? own.preview,
  };
}

/** In a Lobster file the author's text is shown literally, blanks around it included. */
function lobsterQuestion(run: LoadedRun, step: Step, declared: AfterApproval, scope: ExpressionScope, own: PreviewedOutput): Question {
  const { prompt, items, preview } = declared;
  return {
    prompt: prompt ? render(prompt, scope, 'indented') : unasked(run, step),
    items: asItems(items ? templated(items, scope) : own.value),
    preview: preview ? render(preview, scope, 'indented') : own.preview,
  };
}

function unasked({ plan }: LoadedRun, step: Step): string {
  return plan.dialect === 'lobster' ? `Approve ${step.as ?? step.id}?` : `Approve the work of step "${step.id}" of ${plan.name}?`;
}

function templated(template: Template, scope: ExpressionScope): Json {
  return templateValue(template, scope, render(template, scope));
}

/** Without secrets: half of one could not be masked later. */
function previewOf({ text }: OwnOutput, { mask }: Pick<RunSecrets, 'mask'>): string {
  return beginning(mask(text).trim(), PREVIEW_CHARACTERS);
}

/** Plain text output is no item: it is shown unchanged. */
function structured({ value, text }: OwnOutput): Json {
  return value === text ? null : value;
}

function asItems(value: Json): Json[] {
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** The first of the items, as far as they fit into a form. */
function fitting(items: readonly Json[]): Json[] {
  let characters = 0;
  const over = items.findIndex((item) => {
    characters += JSON.stringify(item).length;
    return characters > ITEMS_CHARACTERS;
  });
  return items.slice(0, over < 0 ? items.length : over);
}

/** A command's output if it asks for itself. */
function printedRequest(output: Json): Json | undefined {
  const request = field(output, 'requiresApproval');
  return [request, output].find((source) => isJsonObject(source) && typeof source['prompt'] === 'string' && source['prompt'] !== '');
}

function printedQuestion(request: Json): Question {
  const [prompt, items, preview] = ['prompt', 'items', 'preview'].map((name) => field(request, name));
  return {
    prompt: typeof prompt === 'string' ? prompt : '',
    items: Array.isArray(items) ? items : [],
    ...(typeof preview === 'string' ? { preview } : {}),
  };
}

type Identity = Pick<RenderedApproval, 'initiatedBy' | 'requiredApprover' | 'requireDifferentApprover'>;

function declaredIdentity({ initiatedBy, requiredApprover, requireDifferentApprover }: AfterApproval, scope: ExpressionScope): Identity {
  return identity(textOf(initiatedBy, scope), textOf(requiredApprover, scope), requireDifferentApprover);
}

function printedIdentity(request: Json | undefined): Identity {
  const [by, approver, different] = ['initiatedBy', 'requiredApprover', 'requireDifferentApprover'].map((name) => field(request, name));
  return identity(trimmed(by), trimmed(approver), different === true);
}

const YES = ['1', 'true', 'yes', 'y'];

async function callerIdentity({ environments }: Toolbox, run: LoadedRun): Promise<Identity> {
  const { env } = await environments.callerOf(run.key.workflowId);
  const [by, approver, different] = ['INITIATED_BY', 'REQUIRED_APPROVER', 'REQUIRE_DIFFERENT_APPROVER'].map((name) =>
    trimmed(env[`LOBSTER_APPROVAL_${name}`]),
  );
  return identity(by, approver, YES.includes(different?.toLowerCase() ?? ''));
}

function identity(by: string | undefined, approver: string | undefined, different: boolean | undefined): Identity {
  return {
    ...defined({ initiatedBy: by, requiredApprover: approver, requireDifferentApprover: different || undefined }),
  };
}

/** Undefined if the template is absent or renders to nothing. */
function textOf(template: Template | undefined, scope: ExpressionScope, layout: Layout = 'indented'): string | undefined {
  return template && trimmed(render(template, scope, layout));
}

function trimmed(value: Json | undefined): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}
