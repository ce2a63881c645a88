import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { ThermidorFailure } from '../plan/failure';
import { field, isJsonObject, type Json } from '../plan/json';

/** How a value breaks its schema. */
export interface SchemaProblems {
  /** Required fields that are not there: `key_levels[].evidence`. */
  missingFields: string[];
  /** Everything else, in words. */
  problems: string[];
}

const COMPILED_KEPT = 100;
const compiled = new Map<string, ValidateFunction>();

/**
 * Checks a value against a JSON Schema (draft-07, or 2020-12 where `$schema` says so); undefined where it satisfies it.
 * Compiled schemas are kept by digest. Fails with `pipeline.invalid` where the schema itself is none.
 */
export function checkSchema(digest: string, schema: Json, value: Json): SchemaProblems | undefined {
  const validate = compiled.get(digest) ?? compile(schema);
  compiled.set(digest, validate);
  const oldest = compiled.keys().next();
  if (compiled.size > COMPILED_KEPT && !oldest.done) compiled.delete(oldest.value);
  if (validate(value)) return undefined;
  const missingFields = new Set<string>();
  const problems = new Set<string>();
  for (const error of validate.errors ?? []) {
    const where = fieldPath(error.instancePath, value);
    const missing: unknown = error.keyword === 'required' ? error.params['missingProperty'] : undefined;
    if (typeof missing === 'string') missingFields.add(where === '' ? missing : `${where}.${missing}`);
    else problems.add(describe(where, error));
  }
  return { missingFields: [...missingFields], problems: [...problems] };
}

function compile(schema: Json): ValidateFunction {
  const draft = field(schema, '$schema');
  const options = { allErrors: true, strict: false };
  const ajv = typeof draft === 'string' && draft.includes('2020-12') ? new Ajv2020(options) : new Ajv(options);
  addFormats(ajv);
  try {
    return ajv.compile(isJsonObject(schema) ? schema : schema !== false);
  } catch (error) {
    throw new ThermidorFailure(
      'pipeline.invalid',
      `an output's schema is no JSON Schema: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** `/key_levels/0/type` as people write it, `key_levels[].type`; an index becomes `[]`, so that one gap is reported once. */
function fieldPath(pointer: string, value: Json): string {
  let path = '';
  let here: Json | undefined = value;
  for (const raw of pointer.split('/').slice(1)) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) {
      path += '[]';
      here = here[Number(key)];
    } else {
      path += path === '' ? key : `.${key}`;
      here = field(here, key);
    }
  }
  return path;
}

function describe(where: string, error: ErrorObject): string {
  const allowed: unknown = error.params['allowedValues'];
  const extra: unknown = error.params['additionalProperty'];
  const detail = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : typeof extra === 'string' ? `: "${extra}"` : '';
  return `${where === '' ? 'the whole' : where} ${error.message ?? error.keyword}${detail}`;
}
