import { checkSchemaHere } from '../activities/schemas/schema-check';
import type { GateForm, GateView } from '../plan/people/gate';
import { ThermidorFailure } from '../plan/run/failure';
import { field, isJsonObject, type Json } from '../plan/text/json';
import { parseSpelled } from '../plan/text/json-text';
import { numberAt, type Spelled, spelledObject } from '../plan/text/spelled-json';
import type { ArtifactStore } from '../records/artifact-store';
import { readContent } from '../records/read-content';

/** Answers to input gates: their expected shape, and a check before anything is sent. */

/** The form of a gate; undefined if it has none, or if the store that holds it is not here. */
export async function readForm(store: ArtifactStore, gate: Pick<GateView, 'form'>): Promise<GateForm | undefined> {
  if (gate.form === undefined) return undefined;
  try {
    const form = await readContent(store, gate.form);
    return isForm(form) ? form : undefined;
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return undefined;
    throw error;
  }
}

/** Only activities write forms; one of another version may lack its prompt. */
function isForm(value: Json): value is Json & GateForm {
  return isJsonObject(value) && typeof value['prompt'] === 'string';
}

/** A response as a person typed it: JSON, or text if the schema accepts text. */
export function readResponse(text: string, schema: Json | undefined): { value: Spelled } | { problems: string[] } {
  const parsed = parse(text);
  const value = 'value' in parsed ? parsed.value : text;
  if (schema === undefined) return { value };
  const bad = checkSchemaHere(JSON.stringify(schema), schema, value);
  if (bad === undefined) return { value };
  const problems = [...bad.problems, ...bad.missingFields.map((path) => `missing field ${path}`)];
  return { problems: 'value' in parsed ? problems : [`it is not JSON: ${parsed.problem}`] };
}

function parse(text: string): { value: Spelled } | { problem: string } {
  try {
    return { value: parseSpelled(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

const SAMPLE_DEPTH = 4;

/** A response to begin with: the defaults, else something of the schema's shape. It need not satisfy every rule of the schema. */
export function sampleResponse(form: Pick<GateForm, 'defaults' | 'responseSchema'> | undefined): Spelled {
  if (form?.defaults !== undefined) return numberAt(form, 'defaults') ?? form.defaults;
  return form?.responseSchema === undefined ? 'YOUR ANSWER' : sampleOf(form.responseSchema, SAMPLE_DEPTH);
}

function sampleOf(schema: Json, depth: number): Spelled {
  for (const key of ['default', 'const'] as const) {
    const given = spelledField(schema, key);
    if (given !== undefined) return given;
  }
  const choices = field(schema, 'enum');
  if (Array.isArray(choices) && choices[0] !== undefined) return numberAt(choices, 0) ?? choices[0];
  switch (typeOf(schema)) {
    case 'object':
      return depth === 0 ? {} : sampleObject(schema, depth);
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return spelledField(schema, 'minimum') ?? 0;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return '…';
  }
}

function spelledField(schema: Json, key: string): Spelled | undefined {
  const value = field(schema, key);
  return isJsonObject(schema) && value !== undefined ? (numberAt(schema, key) ?? value) : undefined;
}

function typeOf(schema: Json): Json | undefined {
  const type = field(schema, 'type');
  if (type === undefined && isJsonObject(field(schema, 'properties'))) return 'object';
  return Array.isArray(type) ? type[0] : type;
}

/** A sample with the required fields, or else all fields. */
function sampleObject(schema: Json, depth: number): Json {
  const properties = field(schema, 'properties');
  const required = field(schema, 'required');
  const names = Array.isArray(required) ? required.map(String) : Object.keys(isJsonObject(properties) ? properties : {});
  return spelledObject(names.map((name) => [name, sampleOf(field(properties, name) ?? {}, depth - 1)]));
}
