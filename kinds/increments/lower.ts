import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import type { FormSyntax, TemplateSyntax } from '../../compiler/expression/syntax';
import { namedAgent } from '../../compiler/lower/agents/agent-work';
import { lowerForm } from '../../compiler/lower/form';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { checkPartIds } from '../../compiler/lower/parts/part-steps';
import { anyApprover } from '../../compiler/lower/people/people';
import { renderedBy } from '../../compiler/lower/references';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { lowerWorktree } from '../../compiler/lower/worktree';
import { entryOf } from '../../compiler/read/node';
import type { WorkOf } from '../../compiler/shape/source';
import { defined } from '../../plan/defined';
import { type Expr, RECORD_FIELDS, type Template } from '../../plan/expressions/expression';
import { type Form, fillForm, templatesIn } from '../../plan/expressions/form';
import { ThermidorFailure } from '../../plan/run/failure';
import type { IncrementsStep } from '../../plan/steps/step';
import { DEFAULT_COMMAND_MS, DEFAULT_FIXES, DEFAULT_TASK_MS, EXECUTOR_PART, FINAL_PART, HALF, VALIDATOR_PART } from './model';
import { partsOf } from './parts';
import { INCREMENT_DOCUMENT } from './rules/assignment';
import { divideIntoIncrements } from './rules/increments';
import { INCREMENTS_OUTPUT_SCHEMA } from './rules/output';
import { INCREMENT_GATES, type IncrementGate } from './rules/words';

type IncrementsSource = WorkOf<'increments'>;

export const INCREMENTS_LOWERING: KindLowering<IncrementsSource> = {
  lower: incrementsStep,
  output: (): OutputShape => ({ kind: 'schema', root: INCREMENTS_OUTPUT_SCHEMA, within: [] }),
};

const INCREMENT: OutputShape = {
  kind: 'fields',
  fields: new Map(['id', 'number', 'of', 'attempt', 'tasks', 'base_commit', 'delivered', 'fix'].map((name) => [name, OPEN])),
};

function incrementsStep(work: IncrementsSource, here: StepContext): LoweredStep | undefined {
  const { base, place, context, template, actions } = here;
  const matter = work.plan && lowerForm(wholeOutput(work.plan), here);
  const [executor, validator] = [work.executor, work.validator].map((name) => name && namedAgent(name, here));
  // Another's worktree that cannot be had is reported, and the step has its own as it would have without.
  base.worktree ??= lowerWorktree({ kind: 'own', at: place.step.at }, here) ?? {};
  const environment = new Set(context.env.keys());
  const written = gatesOf(work);
  const gates = INCREMENT_GATES.flatMap((gate): [IncrementGate, Template][] => {
    const command = template(written[gate], { shell: true, environment, given: new Map([[INCREMENT_DOCUMENT, INCREMENT]]) });
    return command ? [[gate, readsGiven(command, INCREMENT_DOCUMENT)]] : [];
  });
  const final = template(work.final, { shell: true, environment });
  const onBlocked = actions(work.onBlocked, 'on_blocked');
  checkNames(work, here);
  checkGates(work, here);
  if (matter) checkPlan(matter, work, here);
  if (!matter || !executor) return undefined;
  const { inputs, records } = renderedBy(here.templates, (name) => context.variable(name, place));
  const reads = defined({ inputs: inputs.size > 0 ? [...inputs] : undefined, records: records.length > 0 ? records : undefined });
  const timeoutMs = base.timeoutMs ?? DEFAULT_COMMAND_MS;
  const step: IncrementsStep = {
    ...base,
    kind: 'increments',
    matter,
    executor: executor.id,
    ...defined({ validator: validator?.id }),
    gates: gates.map(([gate]) => gate),
    fixes: work.fixes ?? DEFAULT_FIXES,
    taskTimeoutMs: work.taskTimeoutMs ?? DEFAULT_TASK_MS,
    timeoutMs,
    blockedShare: work.blockedShare?.value ?? HALF,
    onBlocked: onBlocked ?? [{ kind: 'escalate', to: anyApprover(undefined, context) }],
    parts: partsOf({ executor: executor.id, gates, timeoutMs, reads, ...defined({ validator: validator?.id, final }) }, here),
  };
  return { step };
}

/** `$plan.tasks` is read from a step's output, like `$plan.json.tasks`: a record has no tasks. */
function wholeOutput(form: FormSyntax): FormSyntax {
  const [only, ...more] = 'template' in form ? form.template : [];
  if (only === undefined || typeof only === 'string' || only.kind !== 'name' || more.length > 0) return form;
  const [first] = only.path;
  const isRecord = first === undefined || first.key === 'json' || RECORD_FIELDS.some((known) => known === first.key);
  return isRecord ? form : { template: [{ ...only, dollar: false }] };
}

function gatesOf({ gates }: IncrementsSource): Record<IncrementGate, TemplateSyntax | undefined> {
  return { syntax_clean: gates?.syntaxClean, no_regression: gates?.noRegression, increment_tests_pass: gates?.incrementTestsPass };
}

function checkNames(work: IncrementsSource, here: StepContext): void {
  const { place, context } = here;
  const { id, at } = place.step;
  const written = gatesOf(work);
  const gates = INCREMENT_GATES.filter((gate) => written[gate]);
  checkPartIds(
    here,
    [EXECUTOR_PART, ...gates, ...(work.validator ? [VALIDATOR_PART] : []), ...(work.final ? [FINAL_PART] : [])].map((part) => ({
      part,
      called: `its ${part}`,
    })),
  );
  const other = context.places.byId.has(INCREMENT_DOCUMENT)
    ? 'a step'
    : context.pipeline.args.has(INCREMENT_DOCUMENT)
      ? 'an arg'
      : undefined;
  if (other === undefined || gates.length === 0) return;
  const message = `${other} is called "${INCREMENT_DOCUMENT}", which is the name by which the gates of "${id}" read their increment`;
  context.report('names.clash', at, message, 'give it another name');
}

function checkGates({ gates, validator }: IncrementsSource, { place, context }: StepContext): void {
  if (validator || (gates && gates.node.entries.length > 0)) return;
  const { id, at } = place.step;
  context.report(
    'increments.no-gates',
    at,
    `nothing checks the increments of "${id}"`,
    'add `gates: {no_regression: npm test}`, or a `validator:`',
  );
}

/** Checks a plan that is in the file, and not a later output. */
function checkPlan(matter: Form, { node }: IncrementsSource, { context }: StepContext): void {
  const plan = entryOf(node, 'plan')?.value;
  if (!plan || [...templatesIn(matter)].some((template) => template.some((piece) => typeof piece !== 'string'))) return;
  try {
    divideIntoIncrements(fillForm(matter, (template) => template.join('')));
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    context.report('increments.plan', plan.at, error.message, 'list tasks such as {id: api, title: The API, depends_on: [schema]}');
  }
}

/**
 * Parts get values from the code of their step, and templates that the author of a file writes for them may name these (`${increment.id}`).
 * To the compiler such a name is a variable; here it becomes what the part reads, the output of that name.
 */
function readsGiven(template: Template, name: string): Template {
  return template.map((piece) => (typeof piece === 'string' ? piece : given(piece, name)));
}

function given(expr: Expr, name: string): Expr {
  switch (expr.kind) {
    case 'variable':
      return expr.name === name ? { kind: 'output', step: name, path: expr.path } : expr;
    case 'call':
      return { ...expr, arguments: expr.arguments.map((part) => given(part, name)) };
    case 'array':
      return { ...expr, items: expr.items.map((part) => given(part, name)) };
    case 'binary':
      return { ...expr, left: given(expr.left, name), right: given(expr.right, name) };
    case 'not':
      return { ...expr, operand: given(expr.operand, name) };
    default:
      return expr;
  }
}
