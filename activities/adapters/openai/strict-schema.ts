import { field, isJsonObject, type Json } from '../../../plan/json';

/**
 * Whether a schema is one that the official service can hold a model to word by word: every object in it says what it has, requires all of
 * it and allows nothing else (its guide to structured outputs). Others are sent too, as a wish. Pure.
 */
export function isStrict(schema: Json): boolean {
  return field(schema, 'type') === 'object' && everySchema(schema, isClosed);
}

function isClosed(schema: Json): boolean {
  if (field(schema, 'type') !== 'object') return field(schema, 'properties') === undefined;
  const [properties, required] = [field(schema, 'properties'), field(schema, 'required')];
  if (!isJsonObject(properties) || field(schema, 'additionalProperties') !== false) return false;
  return Object.keys(properties).every((name) => Array.isArray(required) && required.includes(name));
}

const WITHIN = ['items', 'anyOf'] as const;
const NAMED = ['properties', '$defs', 'definitions'] as const;
const STRANGE = ['allOf', 'oneOf', 'not', 'if', 'patternProperties', 'dependentSchemas', 'dependentRequired', 'prefixItems'];

function everySchema(schema: Json, holds: (schema: Json) => boolean): boolean {
  if (!isJsonObject(schema) || STRANGE.some((key) => Object.hasOwn(schema, key)) || !holds(schema)) return false;
  const within = WITHIN.flatMap((key) => field(schema, key) ?? []);
  const named = NAMED.flatMap((key) => Object.values(asObject(field(schema, key))));
  return [...within, ...named].every((part) => everySchema(part, holds));
}

function asObject(value: Json | undefined): Record<string, Json> {
  return isJsonObject(value) ? value : {};
}
