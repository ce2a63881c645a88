import { defined, ifDefined } from '../../plan/defined';
import { asText, type ExpressionScope, evaluateSpelled, spelledAtPath, valueAtPath } from '../../plan/expressions/evaluate';
import type { Path, Template } from '../../plan/expressions/expression';
import { readConsultRecord, UNVERIFIED } from '../../plan/patterns/advice';
import type { ArtifactRef } from '../../plan/run/artifact';
import { runValue } from '../../plan/run/run-end';
import type { ItemPosition, LoopPosition, Readable } from '../../plan/steps/step-activity';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { numberAt, plain, type Spelled, setSpelled, spelledObject, WrittenNumber } from '../../plan/text/spelled-json';
import { storedList, storedSpelled, storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import type { LoadedRun } from './loaded-run';
import { type RunSecrets, runSecrets } from './run-secrets';

/** A step's whole output, as a template sees it. The field `value` remembers how a number was written (`spelled-json.ts`). */
export interface InputValue {
  value: Json;
  /** The unchanged text in the store. */
  text: string;
  /** Its printed text, if that differs. */
  stdout?: string;
  ref?: ArtifactRef;
}

/** The values for templates of one step: the outputs it reads, args, loop variables, and record fields of other steps. */
export interface InputScope extends ExpressionScope {
  inputs: ReadonlyMap<string, InputValue>;
  secrets: RunSecrets;
}

/**
 * Who reads the rendered text. `work`: a command or an agent, which gets the value of a secret arg. `store`: other steps, which get its
 * reference. `people`: people, channels, other runs and the run's own history; these also get every value masked.
 */
export type Reader = 'work' | 'store' | 'people';

/** The values that a step's templates see. */
export async function inputScope(toolbox: Toolbox, run: LoadedRun, readable: Readable, reader: Reader = 'work'): Promise<InputScope> {
  const inputs = await loadInputs(toolbox, run, readable);
  const variables = await loopVariables(toolbox, run, readable.loops ?? []);
  const secrets = await runSecrets(toolbox, run);
  const scope: InputScope = {
    inputs,
    secrets,
    output: (step, path) => (inputs.has(step) ? spelledAtPath(inputs.get(step), ['value', ...path]) : undefined),
    record: (step, name) => recordedField(readable.records?.[step], name) ?? (name === 'stdout' ? stdoutOf(inputs.get(step)) : undefined),
    arg: (name) => (reader === 'work' ? secrets.value(name) : undefined) ?? numberAt(run.record.args, name) ?? field(run.record.args, name),
    run: (name) =>
      runValue(name, { id: run.key.workflowId, startedAt: run.record.startedAt, scheduled: run.record.scheduled, end: readable.end }),
    variable: (name, path) => spelledAtPath(variables.get(name), path),
    state: () => 'unsettled',
  };
  return reader === 'people' ? shownScope(scope) : scope;
}

/** For readers: missing advice is named as such, and leaves no gap in a sentence. */
export function readersScope(scope: InputScope): InputScope {
  const isUnadvised = (step: string, path: Path): boolean => {
    const { marked, recommendation } = readConsultRecord(valueAtPath(scope.inputs.get(step)?.value, path.slice(0, -1)));
    return marked === UNVERIFIED && recommendation === null;
  };
  return { ...scope, missing: (step, path) => (path.at(-1) === 'recommendation' && isUnadvised(step, path) ? UNVERIFIED : undefined) };
}

/** Masks when something is read: of a large output most may never be. */
function shownScope(scope: InputScope): InputScope {
  const { secrets } = scope;
  const shown = (value: Spelled | undefined) => (value === undefined ? undefined : shownValue(value, secrets));
  return {
    ...readersScope(scope),
    inputs: new Map([...scope.inputs].map(([step, input]) => [step, shownInput(input, secrets)])),
    output: (step, path) => shown(scope.output(step, path)),
    record: (step, name) => shown(scope.record(step, name)),
    variable: (name, path) => shown(scope.variable(name, path)),
  };
}

function shownInput(input: InputValue, secrets: RunSecrets): InputValue {
  const { value, text, stdout, ref } = input;
  const rest = defined({ ref, stdout: ifDefined(stdout, secrets.mask) });
  const number = numberAt(input, 'value');
  if (number) return inputValue(shownValue(number, secrets), { ...rest, text: secrets.mask(text) });
  return {
    ...rest,
    get value() {
      return secrets.maskJson(value);
    },
    get text() {
      return secrets.mask(text);
    },
  };
}

/** A number is shown as it was written, unless a secret is in that. */
function shownValue(value: Spelled, { mask, maskJson }: RunSecrets): Spelled {
  if (!(value instanceof WrittenNumber)) return maskJson(value);
  return mask(value.text) === value.text ? value : mask(value.text);
}

async function loadInputs({ artifacts }: Toolbox, run: LoadedRun, { inputs, with: replaced }: Readable): Promise<Map<string, InputValue>> {
  const loaded = new Map<string, InputValue>();
  for (const [step, ref] of Object.entries(inputs ?? {})) {
    const stored = await storedValue(artifacts, ref);
    const { text, json } = stored;
    const stdout = ref.stdout === undefined ? undefined : (await artifacts.get({ sha256: ref.stdout })).toString('utf8');
    loaded.set(step, inputValue(outputValue(run, json, storedSpelled(stored)), { text, ref, ...defined({ stdout }) }));
  }
  for (const step of isJsonObject(replaced) ? Object.keys(replaced) : []) {
    const value = spelledAtPath(replaced, [step]);
    loaded.set(step, inputValue(value, { text: asText(value, 'indented') }));
  }
  return loaded;
}

function inputValue(value: Spelled, rest: Omit<InputValue, 'value'>): InputValue {
  const input: InputValue = { value: null, ...rest };
  setSpelled(input, 'value', value);
  return input;
}

function stdoutOf(input: InputValue | undefined): string | undefined {
  return input?.stdout ?? input?.text;
}

/** The output of a step. In a Lobster file, text that is no JSON is stdout and no output. */
export function outputValue<T extends Spelled>({ plan }: Pick<LoadedRun, 'plan'>, json: boolean, value: T): T | null {
  return !json && plan.dialect === 'lobster' ? null : value;
}

async function loopVariables(toolbox: Toolbox, run: LoadedRun, loops: readonly LoopPosition[]): Promise<Map<string, Spelled>> {
  const variables = new Map<string, Spelled>();
  for (const loop of loops) {
    if ('itemVar' in loop) {
      variables.set(loop.itemVar, await itemAt(toolbox, loop));
      variables.set(loop.indexVar, loop.index);
      continue;
    }
    const last = loop.last && (await loadInputs(toolbox, run, { inputs: loop.last }));
    variables.set(loop.roundVar, loop.index);
    variables.set(loop.lastVar, last ? spelledObject([...last].map(([id, input]) => [id, spelledAtPath(input, ['value'])])) : null);
  }
  return variables;
}

async function itemAt({ artifacts }: Toolbox, { list, item, index }: ItemPosition): Promise<Spelled> {
  if (item) return storedSpelled(await storedValue(artifacts, item));
  return list ? spelledAtPath(await storedList(artifacts, list), [index]) : null;
}

/** The value of a template that is one expression, the text of any other. */
export function templateValue(template: Template, scope: ExpressionScope, text: string): Json {
  return plain(spelledTemplateValue(template, scope, text));
}

/** The value as `templateValue` gives it, with the spelling of its numbers. */
export function spelledTemplateValue(template: Template, scope: ExpressionScope, text: string): Spelled {
  const [only] = template;
  return template.length === 1 && only !== undefined && typeof only !== 'string' ? evaluateSpelled(only, scope) : text;
}

function recordedField(record: Record<string, Json> | undefined, name: string): Spelled | undefined {
  return record && (numberAt(record, name) ?? field(record, name));
}
