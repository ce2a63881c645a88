import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { ThermidorFailure } from '../plan/failure';
import { field, isJsonObject, type Json } from '../plan/json';
import { cut } from './question';

/** How a value breaks its schema. */
export interface SchemaProblems {
  /** Required fields that are not there: `key_levels[].evidence`. */
  missingFields: string[];
  /** Everything else, in words. */
  problems: string[];
}

/** Of each list. A long answer of the wrong form breaks its schema in a hundred thousand places: the first say enough. */
const MOST_TOLD = 50;
/** Of one of them, in characters: names of fields are the answer's own. */
const TOLD_CHARACTERS = 300;

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
  return told(missingFields, problems);
}

function told(missingFields: ReadonlySet<string>, problems: ReadonlySet<string>): SchemaProblems {
  const left = [missingFields, problems].reduce((sum, { size }) => sum + Math.max(0, size - MOST_TOLD), 0);
  return { missingFields: firstOf(missingFields), problems: [...firstOf(problems), ...(left > 0 ? [`… and ${left} more`] : [])] };
}

/** As much of what an answer lacks, or is wrong about, as is told. */
export function firstOf(all: Iterable<string>): string[] {
  return [...all].slice(0, MOST_TOLD).map((one) => cut(one, TOLD_CHARACTERS));
}

const OPTIONS = { allErrors: true, strict: false };
/** What a draft says of schemas takes longer to compile than they do, so it is kept. Each is compiled apart from all others. */
const drafts = new Map<typeof Ajv | typeof Ajv2020, Ajv | Ajv2020>();

function compile(schema: Json): ValidateFunction {
  const named = field(schema, '$schema');
  const Draft = typeof named === 'string' && named.includes('2020-12') ? Ajv2020 : Ajv;
  const draft = drafts.get(Draft) ?? addFormats(new Draft(OPTIONS));
  drafts.set(Draft, draft);
  const checked = isJsonObject(schema) ? schema : schema !== false;
  try {
    draft.validateSchema(checked, true);
    return addFormats(new Draft({ ...OPTIONS, validateSchema: false })).compile(checked);
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
