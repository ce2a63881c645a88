import { field, isJsonObject, type Json } from '../../../plan/text/json';

/** Checks the schema that the service enforces for a reply, as far as it can (structured outputs). */
export function checkFormat(format: Json | undefined): string[] {
  if (format === undefined) return [];
  if (field(format, 'type') !== 'json_schema') return ['output_config.format.type: json_schema'];
  const schema = field(format, 'schema') ?? null;
  const problems = checkSchema(schema, 'schema');
  const optional = optionalIn(schema);
  return [
    ...problems,
    ...(field(schema, 'type') === 'object' ? [] : ['output_config.format.schema: must be of type object']),
    ...(optional > MOST_OPTIONAL ? [`output_config.format.schema: too many optional parameters (${optional})`] : []),
  ];
}

const MOST_OPTIONAL = 24;
const KEYWORDS = [
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf', '$ref', '$defs', 'format'],
  ...['minItems', 'title', 'description'],
];

function checkSchema(schema: Json, at: string): string[] {
  if (!isJsonObject(schema)) return [`${at}: no schema`];
  const unknown = Object.keys(schema).filter((key) => !KEYWORDS.includes(key));
  const problems = unknown.map((key) => `${at}: ${key} is not supported`);
  if (schema['type'] === 'object' && schema['additionalProperties'] !== false) problems.push(`${at}: additionalProperties must be false`);
  if (schema['minItems'] !== undefined && Number(schema['minItems']) > 1) problems.push(`${at}: minItems must be 0 or 1`);
  const own = field(schema, 'properties');
  for (const name of requiredIn(schema))
    if (!isJsonObject(own) || !Object.hasOwn(own, name)) problems.push(`${at}: ${name} is required, and no property`);
  return [...problems, ...inner(schema).flatMap(([name, one]) => checkSchema(one, `${at}.${name}`))];
}

function inner(schema: Json): [string, Json][] {
  const named = ['properties', '$defs'].flatMap((key) => Object.entries(objectAt(schema, key)));
  const listed = [field(schema, 'items'), ...[field(schema, 'anyOf') ?? []].flat()].flatMap((one): [string, Json][] =>
    one === undefined ? [] : [['[]', one]],
  );
  return [...named, ...listed];
}

function optionalIn(schema: Json): number {
  const own = Object.keys(objectAt(schema, 'properties')).filter((name) => !requiredIn(schema).includes(name)).length;
  return inner(schema).reduce((sum, [, one]) => sum + optionalIn(one), own);
}

function requiredIn(schema: Json): string[] {
  return [field(schema, 'required') ?? []].flat().map(String);
}

function objectAt(schema: Json, key: string): Record<string, Json> {
  const found = field(schema, key);
  return isJsonObject(found) ? found : {};
}
