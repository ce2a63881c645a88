import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { isLateStage } from '../../plan/stages/stage';
import type { StagesStep } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { numberAt, type Spelled, setSpelled } from '../../plan/text/spelled-json';
import { spelledUntrustedJson } from '../../plan/text/untrusted-json';
import { asJson, getJson } from '../../records/stored-json';
import { type CheckedBy, checkSchema } from '../schemas/schema-check';
import { putWithText } from '../stored/put-with-text';
import { stepValues } from '../stored/step-values';
import type { Toolbox } from '../toolbox';
import { asJsonItems, asLine, type Item } from './items/item';

/** The result of a pipe: its text, and its value if it has one. */
export interface PipeOutput {
  stdout: string;
  value?: Json;
  /** How many items came out of its end. */
  items: number;
}

/**
 * A pipe's text and value, by Lobster's rules: the value is the item, or the list of several; if none came out it is the text parsed as
 * JSON. The text is the output of `json` and `table`, else the items: texts line by line, others as JSON.
 */
export function pipeOutput(items: readonly Item[], rendered: string): PipeOutput {
  const json = asJsonItems(items);
  const [first] = json;
  const output: PipeOutput = { stdout: rendered || itemsText(json), items: json.length };
  const value = json.length === 0 ? spelledUntrustedJson(rendered) : json.length === 1 ? (numberAt(json, 0) ?? first) : json;
  if (value !== undefined) setSpelled(output, 'value', value);
  return output;
}

function itemsText(items: readonly Json[]): string {
  if (items.every((item) => typeof item === 'string')) return items.join('\n');
  if (items.length > 1) return jsonText(items);
  const [only] = items;
  return only === undefined || only === null ? '' : asLine(only);
}

/**
 * Stores a pipe's output as its step's: the value as JSON, together with the text if that differs; only the text if there is no value.
 * Fails with `stage.failed` if it breaks the schema of `output:`, `output.too-large`, `values.too-large`.
 */
export async function storePipeOutput(
  toolbox: Toolbox & CheckedBy,
  step: StagesStep,
  output: PipeOutput,
  dialect?: 'lobster',
): Promise<StepOutput> {
  const { stdout, value, items } = output;
  const spelled = numberAt(output, 'value') ?? value;
  await checkOutput(toolbox, step, spelled);
  const values = stepValues(step, spelled === undefined ? (dialect === 'lobster' ? null : stdout) : spelled, stdout);
  return { artifact: { ...(await store(toolbox, step, output)), items }, ...defined({ values }) };
}

async function store({ artifacts }: Toolbox, step: StagesStep, { stdout, value }: PipeOutput): Promise<ArtifactRef> {
  const name = step.output?.name ?? `${step.id}.${value === undefined ? 'txt' : 'json'}`;
  if (value === undefined) return await artifacts.put(stdout, { mediaType: 'text/plain', name });
  return await putWithText(artifacts, name, value, stdout);
}

async function checkOutput(toolbox: Toolbox & CheckedBy, step: StagesStep, value: Spelled | undefined): Promise<void> {
  const digest = step.output?.schema;
  if (digest === undefined) {
    if (value !== undefined || !step.output?.name.endsWith('.json')) return;
    throw broken(step, ['it is not JSON'], []);
  }
  if (value === undefined) throw broken(step, ['it is not JSON'], []);
  const schema = await getJson<Json>(toolbox.artifacts, { sha256: digest }, `the schema of "${step.id}"`);
  const problems = await checkSchema(toolbox, digest, schema, value);
  if (problems) throw broken(step, problems.problems, problems.missingFields);
}

function broken(step: StagesStep, problems: string[], missingFields: string[]): ThermidorFailure {
  const stage = step.stages.at(-1);
  const last = stage && !isLateStage(stage) ? stage.name : 'pipe';
  const all = [...problems, ...missingFields.map((path) => `missing field ${path}`)];
  const message = `${last}: the pipe of step "${step.id}" did not give ${step.output?.name ?? 'its output'}: ${all.join('; ')}`;
  return new ThermidorFailure('stage.failed', message, asJson({ step: step.id, problems, missingFields }));
}
