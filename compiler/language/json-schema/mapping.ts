import { load } from 'js-yaml';
import type { Json, JsonObject } from '../../../plan/text/json';
import type { KeyRow } from '../row';
import { valueSchema } from './value';

/** The schema of a mapping's keys, with what an editor shows for each. Two ways to write one value exclude each other. */
export function mappingSchema(rows: readonly KeyRow[]): JsonObject {
  const properties: JsonObject = {};
  const excluded: JsonObject[] = [];
  for (const row of rows) {
    for (const key of [row.key, ...(row.aliases ?? [])]) properties[key] = describedValue(row, key);
    const rivals = [...(row.aliases ?? []), ...(row.insteadOf === undefined ? [] : [row.insteadOf])];
    for (const rival of rivals) excluded.push({ not: { required: [row.key, rival] } });
  }
  const required = rows.filter((row) => row.required && !row.aliases).map((row) => row.key);
  const eitherOf = rows.filter((row) => row.required && row.aliases).map((row) => oneOfKeys([row.key, ...(row.aliases ?? [])]));
  const schema: JsonObject = { type: 'object', properties, additionalProperties: false };
  if (required.length > 0) schema['required'] = required;
  const conditions = [...excluded, ...eitherOf];
  if (conditions.length > 0) schema['allOf'] = conditions;
  return schema;
}

/** At least one of some keys. */
export function oneOfKeys(keys: readonly string[]): JsonObject {
  return { anyOf: keys.map((key) => ({ required: [key] })) };
}

function describedValue(row: KeyRow, key: string): JsonObject {
  const fallback = literalDefault(row);
  const described: JsonObject = { description: describeRow(row, key, fallback !== undefined) };
  if (fallback !== undefined) described['default'] = fallback;
  described['examples'] = [valueOfYaml(row.example)];
  const value = valueSchema(row.type);
  // Draft-07 ignores every keyword next to `$ref`.
  return '$ref' in value ? { ...described, allOf: [value] } : { ...described, ...value };
}

function describeRow(row: KeyRow, key: string, literal: boolean): string {
  const same = key === row.key ? '' : ` The same as \`${row.key}\`.`;
  const fallback = row.default === undefined || literal ? '' : ` Default: ${row.default}.`;
  return `${row.meaning}${same}${fallback}`;
}

/** A default that is a value and not a sentence: it is written in back-ticks. */
function literalDefault(row: KeyRow): Json | undefined {
  const written = /^`([^`]+)`$/.exec(row.default ?? '')?.[1];
  return written === undefined || row.type.kind === 'actions' ? undefined : valueOfYaml(written);
}

/** A value as a row writes it, in YAML. */
function valueOfYaml(text: string): Json {
  return JSON.parse(JSON.stringify(load(text))) as Json;
}
