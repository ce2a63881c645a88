import { goesOverItems, isInput, joinsBranches, runsChild } from '../../kinds/questions';
import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import { lobsterResult } from '../../plan/stages/lobster-result';
import type { ComposeInput, Composition } from '../../plan/steps/container-activities';
import type { InputStep, Step } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import { hasParts } from '../../plan/steps/walk';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { numberAt, plain, type Spelled } from '../../plan/text/spelled-json';
import { unreachable } from '../../plan/unreachable';
import { type ActivityCall, requireAddress } from '../activity-call';
import { checkResponse } from '../gates/check-response';
import { withHeartbeat } from '../heartbeat';
import { loadRun, stepAt } from '../run/load-run';
import type { LoadedRun } from '../run/loaded-run';
import { outputValue } from '../run/template-scope';
import { publishOutput } from '../stored/publish-output';
import { putWithText } from '../stored/put-with-text';
import { stepValues } from '../stored/step-values';
import { storedSpelled, storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import { type Composed, composeBranches, composeFields, composeIterations, composeParts } from './compose-lists';
import { composePages, composeWhole } from './list-pages';

/**
 * Makes the output of a step that did not produce one itself, with the values that expressions read of it. Outputs are copied within the
 * store as text, one at a time: a large one is in memory as a value only if an expression reads the whole of it.
 *
 * Repeating it is harmless: the same results give the same output. Fails with `output.too-large`, `values.too-large`, `artifact.missing`,
 * `store.unavailable`, `input.no-answer`.
 */
export function compose(toolbox: Toolbox, call: ActivityCall, input: ComposeInput): Promise<StepOutput> {
  return withHeartbeat(
    call,
    () => 0,
    () => outputFrom(toolbox, call, input),
  );
}

async function outputFrom(toolbox: Toolbox, call: ActivityCall, { from }: ComposeInput): Promise<StepOutput> {
  const address = requireAddress(call);
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, address);
  if (runsChild(step) && run.plan.dialect === 'lobster' && (from.kind === 'artifact' || from.kind === 'value'))
    return await composeLobsterChild(toolbox, step, from);
  if (from.kind === 'artifact') {
    // An output that a container takes over is laid out under the name of the step that made it.
    if (hasParts<Step>(step)) await publishOutput(toolbox, call.key.workflowId, address, from.artifact);
    return await taken(toolbox, run, step, from.artifact);
  }
  const { content, value } = await composed(toolbox, call, run, step, from);
  const part = from.kind === 'iterations' ? `.${from.from}` : '';
  const aside = from.kind === 'value' && from.as !== undefined ? `.${from.as}` : '';
  const name = `${step.id}${part}${aside}.json`;
  const artifact = await toolbox.artifacts.put(content, { mediaType: 'application/json', name });
  if (from.kind === 'iterations' || aside !== '') return { artifact };
  await publishOutput(toolbox, call.key.workflowId, address, artifact);
  const values = stepValues(step, value);
  return { artifact, ...defined({ values }) };
}

async function composed(
  toolbox: Toolbox,
  call: ActivityCall,
  run: LoadedRun,
  step: Step,
  from: Exclude<Composition, { kind: 'artifact' }>,
): Promise<Composed> {
  switch (from.kind) {
    case 'branches':
      if (!joinsBranches(step)) throw misfit(step, from);
      return await composeBranches(toolbox, run, step, from);
    case 'iterations':
      if (!goesOverItems(step)) throw misfit(step, from);
      return await composeIterations(toolbox, run, step, from);
    case 'fields':
      return await composeFields(toolbox, step, from);
    case 'parts':
      return await composeParts(toolbox, step, from.parts);
    case 'value':
      return from.whole ? await composeWhole(toolbox, from.value, from.whole) : ofValue(numberAt(from, 'value') ?? from.value);
    case 'pages':
      return await composePages(toolbox, from);
    case 'defaults':
      if (!isInput(step)) throw misfit(step, from);
      return await composeDefaults(toolbox, call, step);
    default:
      return unreachable(from);
  }
}

/** The defaults of a question count as an answer, so they are checked as one. */
async function composeDefaults(toolbox: Toolbox, call: ActivityCall, step: InputStep): Promise<Composed> {
  const unanswered = `nobody answered step "${step.id}" in time`;
  if (step.defaults === undefined) throw new ThermidorFailure('input.no-answer', `${unanswered}, and it has no defaults`);
  const response = numberAt(step, 'defaults') ?? step.defaults;
  const { problems } = await checkResponse(toolbox, call, { response: plain(response) });
  if (problems.length === 0) return ofValue(response);
  const why = `${unanswered}, and its defaults do not satisfy its schema: ${problems.join('; ')}`;
  throw new ThermidorFailure('input.no-answer', why, { problems });
}

function ofValue(value: Spelled): Composed {
  return { content: jsonText(value), value };
}

/** The artifact itself, with the values read of it. */
async function taken({ artifacts }: Toolbox, run: LoadedRun, step: Step, artifact: ArtifactRef): Promise<StepOutput> {
  if (!step.reads?.length && !step.readsStdout) return { artifact };
  const stored = await storedValue(artifacts, artifact);
  const { text, json } = stored;
  const stdout = artifact.stdout === undefined ? text : (await artifacts.get({ sha256: artifact.stdout })).toString('utf8');
  const values = stepValues(step, outputValue(run, json, storedSpelled(stored)), stdout);
  return { artifact, ...defined({ values }) };
}

function misfit(step: Step, { kind }: Composition): ThermidorFailure {
  return bug(`the output of step "${step.id}" is not made of ${kind}`);
}

type From = Extract<Composition, { kind: 'artifact' | 'value' }>;

/**
 * The result of a Lobster file in the step that names it: the one item of that file's output, or else the list of them. Its text is a text
 * item unchanged, anything else as JSON, and empty if there was no output.
 */
async function composeLobsterChild(toolbox: Toolbox, step: Step, from: From): Promise<StepOutput> {
  const items = await itemsOf(toolbox, from);
  const [only = null] = items;
  const value = items.length === 1 ? only : items;
  const text = items.length === 0 || value === null ? '' : typeof value === 'string' ? value : jsonText(value);
  const artifact: ArtifactRef = await putWithText(toolbox.artifacts, `${step.id}.json`, value, text);
  const values = stepValues(step, value, text);
  return { artifact, ...defined({ values }) };
}

async function itemsOf({ artifacts }: Toolbox, from: From): Promise<Json[]> {
  // A file whose last step output nothing has no artifact: its value is null.
  if (from.kind === 'value') return from.value === null ? [] : lobsterResult({ json: from.value });
  const { text, value, json } = await storedValue(artifacts, from.artifact);
  return lobsterResult(json ? { json: value } : { stdout: text });
}
