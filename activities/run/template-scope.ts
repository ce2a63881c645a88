import { defined } from '../../plan/defined';
import { type ExpressionScope, evaluate, valueAtPath } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import type { ArtifactRef } from '../../plan/run/artifact';
import { type RunEnd, runValue } from '../../plan/run/run-end';
import type { ItemPosition, LoopPosition } from '../../plan/steps/step-activity';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { storedList, storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import type { LoadedRun } from './loaded-run';
import { type RunSecrets, runSecrets } from './run-secrets';

/** A step's whole output, as a template sees it. */
export interface InputValue {
  value: Json;
  /** As it is in the store. */
  text: string;
  /** What it printed, where that is not the same. */
  stdout?: string;
  ref?: ArtifactRef;
}

/** What templates of one step are rendered with: the outputs it reads, args, loop variables, and record fields of other steps. */
export interface InputScope extends ExpressionScope {
  inputs: ReadonlyMap<string, InputValue>;
  secrets: RunSecrets;
}

export interface Readable {
  inputs?: Record<string, ArtifactRef>;
  records?: Record<string, Record<string, Json>>;
  /** An operator's replacement, by step. */
  with?: Json;
  /** From the outside in; a name of an inner loop hides the same one of an outer. */
  loops?: LoopPosition[];
  /** In `finally`: how the run's work ended. */
  end?: RunEnd;
}

/**
 * Who reads what is rendered. `work`: a command or an agent, for which a secret arg is its value. `store`: other steps, for which it is its
 * reference. `people`: people, channels, other runs and the run's own history; besides, every value is masked when a template reads it.
 */
export type Reader = 'work' | 'store' | 'people';

/** What a step's templates see. */
export async function inputScope(toolbox: Toolbox, run: LoadedRun, readable: Readable, reader: Reader = 'work'): Promise<InputScope> {
  const inputs = await loadInputs(toolbox, run, readable);
  const variables = await loopVariables(toolbox, run, readable.loops ?? []);
  const secrets = await runSecrets(toolbox, run);
  const scope: InputScope = {
    inputs,
    secrets,
    output: (step, path) => (inputs.has(step) ? valueAtPath(inputs.get(step)?.value, path) : undefined),
    record: (step, name) => field(readable.records?.[step], name) ?? (name === 'stdout' ? stdoutOf(inputs.get(step)) : undefined),
    arg: (name) => (reader === 'work' ? secrets.value(name) : undefined) ?? field(run.record.args, name),
    run: (name) => runValue(name, { id: run.key.workflowId, startedAt: run.record.startedAt, end: readable.end }),
    variable: (name, path) => valueAtPath(variables.get(name), path),
    state: () => 'unsettled',
  };
  return reader === 'people' ? shownScope(scope) : scope;
}

/** Masks when something is read: of a large output most may never be. */
function shownScope(scope: InputScope): InputScope {
  const { secrets } = scope;
  const shown = (value: Json | undefined) => (value === undefined ? undefined : secrets.maskJson(value));
  return {
    ...scope,
    inputs: new Map([...scope.inputs].map(([step, input]) => [step, shownInput(input, secrets)])),
    output: (step, path) => shown(scope.output(step, path)),
    record: (step, name) => shown(scope.record(step, name)),
    variable: (name, path) => shown(scope.variable(name, path)),
  };
}

function shownInput({ value, text, stdout, ref }: InputValue, { mask, maskJson }: RunSecrets): InputValue {
  return {
    ...defined({ ref }),
    get value() {
      return maskJson(value);
    },
    get text() {
      return mask(text);
    },
    ...(stdout === undefined ? {} : { stdout: mask(stdout) }),
  };
}

async function loadInputs({ artifacts }: Toolbox, run: LoadedRun, { inputs, with: replaced }: Readable): Promise<Map<string, InputValue>> {
  const loaded = new Map<string, InputValue>();
  for (const [step, ref] of Object.entries(inputs ?? {})) {
    const { text, value, json } = await storedValue(artifacts, ref);
    const stdout = ref.stdout === undefined ? undefined : (await artifacts.get({ sha256: ref.stdout })).toString('utf8');
    loaded.set(step, { text, value: outputValue(run, json, value), ref, ...defined({ stdout }) });
  }
  for (const [step, value] of Object.entries(isJsonObject(replaced) ? replaced : {})) {
    loaded.set(step, { value, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) });
  }
  return loaded;
}

function stdoutOf(input: InputValue | undefined): string | undefined {
  return input?.stdout ?? input?.text;
}

/** The output of a step. In a Lobster file, text that is no JSON is stdout and no output. */
export function outputValue({ plan }: Pick<LoadedRun, 'plan'>, json: boolean, value: Json): Json {
  return !json && plan.dialect === 'lobster' ? null : value;
}

async function loopVariables(toolbox: Toolbox, run: LoadedRun, loops: readonly LoopPosition[]): Promise<Map<string, Json>> {
  const variables = new Map<string, Json>();
  for (const loop of loops) {
    if ('itemVar' in loop) {
      variables.set(loop.itemVar, await itemAt(toolbox, loop));
      variables.set(loop.indexVar, loop.index);
      continue;
    }
    const last = loop.last && (await loadInputs(toolbox, run, { inputs: loop.last }));
    variables.set(loop.roundVar, loop.index);
    variables.set(loop.lastVar, last ? Object.fromEntries([...last].map(([id, { value }]) => [id, value])) : null);
  }
  return variables;
}

async function itemAt({ artifacts }: Toolbox, { list, item, index }: ItemPosition): Promise<Json> {
  if (item) return (await storedValue(artifacts, item)).value;
  return (list && (await storedList(artifacts, list))[index]) ?? null;
}

/** The value of a template that is one expression, the text of any other. */
export function templateValue(template: Template, scope: ExpressionScope, text: string): Json {
  const [only] = template;
  return template.length === 1 && only !== undefined && typeof only !== 'string' ? evaluate(only, scope) : text;
}
