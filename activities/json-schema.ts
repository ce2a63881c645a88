import type { FuncKeywordDefinition } from 'ajv';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import type { DataValidateFunction } from 'ajv/dist/types';
import addFormats from 'ajv-formats';
import { field, isJsonObject, type Json } from '../plan/text/json';
import { isLongNumber } from '../plan/text/numbers';
import { textKey } from './schemas/pattern-key';
import { boundFormats, countReferences, patternEngine, type Unchecked } from './schemas/schema-patterns';
import { type Item, stableJson } from './stages/items/item';

/**
 * `uniqueItems` in time linear in the length of the list: ajv compares each item with each, on the event loop. Items are equal by JSON
 * Schema's rules: whatever the order of their fields, `1` and `1.0`, but not `1` and `true` or `"1"`. Problems have ajv's words.
 */
const UNIQUE_ITEMS = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  compile: (wanted: boolean) => (wanted ? areUnique : () => true),
} as const satisfies FuncKeywordDefinition;

/** Names the last item that occurs before, and its last earlier index. */
const areUnique: DataValidateFunction = (items: readonly Item[]): boolean => {
  const seen = new Map<string, number>();
  let twice: { i: number; j: number } | undefined;
  for (const [i, item] of items.entries()) {
    const text = textKey(stableJson(item));
    const j = seen.get(text);
    if (j !== undefined) twice = { i, j };
    seen.set(text, i);
  }
  if (twice === undefined) return true;
  const { i, j } = twice;
  areUnique.errors = [
    { keyword: 'uniqueItems', message: `must NOT have duplicate items (items ## ${j} and ${i} are identical)`, params: { i, j } },
  ];
  return false;
};

/**
 * JSON Schemas from any source: draft-07, or 2020-12 if `$schema` says so. Only this file has the validator, its options, and the wording
 * of its findings. Each schema is compiled apart from all others, whatever their `$id`.
 */
const OPTIONS = {
  strict: false,
  logger: false,
  // Optimizing a schema's generated code takes time quadratic in its size, and blocks the worker.
  code: { optimize: false },
} as const;

/** A draft's meta-schema takes longer to compile than schemas do, so it is kept. */
const drafts = new Map<typeof Ajv | typeof Ajv2020, Ajv | Ajv2020>();

/** Why a schema is invalid, in words. */
export type NoSchema = string;

export interface Compiling {
  /** Finds everything that is wrong, in time by the square of how much that is; else it stops at the first. */
  allErrors?: boolean;
  /** Gets each pattern that is not checked: the compiler refuses such patterns, but schemas come from elsewhere too. */
  unchecked?: Unchecked;
}

export function compileSchema(
  schema: Json,
  { allErrors = false, unchecked = () => undefined }: Compiling = {},
): ValidateFunction | NoSchema {
  const named = field(schema, '$schema');
  const Draft = typeof named === 'string' && named.includes('2020-12') ? Ajv2020 : Ajv;
  const draft = drafts.get(Draft) ?? complete(new Draft(OPTIONS));
  drafts.set(Draft, draft);
  const checked = isJsonObject(schema) ? schema : schema !== false;
  try {
    draft.validateSchema(checked, true);
    const code = { ...OPTIONS.code, regExp: patternEngine(unchecked) };
    return complete(new Draft({ ...OPTIONS, code, allErrors, validateSchema: false })).compile(checked);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function complete(validator: Ajv | Ajv2020): Ajv | Ajv2020 {
  addFormats(validator).removeKeyword(UNIQUE_ITEMS.keyword).addKeyword(UNIQUE_ITEMS);
  boundFormats(validator);
  countReferences(validator);
  return validator;
}

/** The first violation of its schema by a value, in words; undefined if it satisfies it. */
export function schemaViolation(validate: ValidateFunction, value: Json): string | undefined {
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return error ? describeError(error, value) : 'it does not have its format';
}

export function describeError(error: ErrorObject, value: Json): string {
  const { path, part } = pathOfPointer(error.instancePath, value);
  const extra: unknown = error.params['additionalProperty'];
  const reason = typeof extra === 'string' ? `${error.message ?? error.keyword}: "${extra}"` : reasonOf(error, part);
  return `${path === '' ? 'the whole' : path} ${reason}`;
}

export const MISSING = 'is missing';

/** The problem at an error's place, as the end of a sentence about it. */
export function reasonOf({ keyword, message = keyword, params }: ErrorObject, part?: Json): string {
  if (keyword === 'type' && typeof part === 'string' && isLongNumber(part))
    return `${message}, and ${part} is one that a double cannot hold: send it as a text if the schema takes one`;
  if (keyword === 'required') return MISSING;
  if (keyword === 'additionalProperties') return 'is not one of its fields';
  const allowed: unknown = params['allowedValues'];
  return Array.isArray(allowed) ? `${message}: ${allowed.join(', ')}` : message;
}

/**
 * `/key_levels/0/type` as people write it, `key_levels[].type`: an index becomes `[]`, so that one gap is reported once. Also returns the
 * value there.
 */
export function pathOfPointer(pointer: string, value: Json): { path: string; part: Json | undefined } {
  let path = '';
  let part: Json | undefined = value;
  for (const raw of pointer.split('/').slice(1)) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(part)) {
      path += '[]';
      part = part[Number(key)];
    } else {
      path += path === '' ? key : `.${key}`;
      part = field(part, key);
    }
  }
  return { path, part };
}
