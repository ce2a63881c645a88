import type { ArtifactRef } from '../plan/artifact';
import { at, evaluate, type Scope } from '../plan/evaluate';
import type { Template } from '../plan/expression';
import { field, isJsonObject, type Json } from '../plan/json';
import type { LoadedRun } from './run-record';
import type { Toolbox } from './toolbox';

/** A step's whole output, as a template sees it. */
export interface InputValue {
  value: Json;
  /** As it stands in the store. */
  text: string;
  ref?: ArtifactRef;
}

/** What templates of one step are rendered with: the outputs it reads, args, and record fields of other steps. */
export interface InputScope extends Scope {
  inputs: ReadonlyMap<string, InputValue>;
}

export interface Readable {
  inputs?: Record<string, ArtifactRef>;
  records?: Record<string, Record<string, Json>>;
  /** An operator's replacement, by step. */
  with?: Json;
}

export async function inputScope(toolbox: Toolbox, run: LoadedRun, { inputs, records, with: replaced }: Readable): Promise<InputScope> {
  const loaded = new Map<string, InputValue>();
  for (const [step, ref] of Object.entries(inputs ?? {})) {
    const text = (await toolbox.artifacts.get(ref)).toString('utf8');
    loaded.set(step, { text, value: ref.mediaType === 'application/json' ? (JSON.parse(text) as Json) : text, ref });
  }
  for (const [step, value] of Object.entries(isJsonObject(replaced) ? replaced : {})) {
    loaded.set(step, { value, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) });
  }
  return {
    inputs: loaded,
    output: (step, path) => (loaded.has(step) ? at(loaded.get(step)?.value, path) : undefined),
    record: (step, name) => field(records?.[step], name) ?? (name === 'stdout' ? loaded.get(step)?.text : undefined),
    arg: (name) => field(run.record.args, name),
    run: (name) => (name === 'id' ? run.key.workflowId : run.record.startedAt),
    variable: () => undefined,
    state: () => 'unsettled',
  };
}

/** The value of a template that is one expression, the text of any other. */
export function templateValue(template: Template, scope: Scope, text: string): Json {
  const [only] = template;
  return template.length === 1 && only !== undefined && typeof only !== 'string' ? evaluate(only, scope) : text;
}
