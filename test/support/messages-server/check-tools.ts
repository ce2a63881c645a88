import { field, isJsonObject, type Json } from '../../../plan/text/json';
import { isSchema } from '../model-server/json-schema';

/** Checks the tools that are offered to the model. */
export function checkTools(tools: Json | undefined): string[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools) || tools.length === 0) return ['tools: a list that is not empty'];
  const names = tools.map((tool) => String(field(tool, 'name')));
  return [
    ...names
      .filter((name, at) => names.indexOf(name) !== at || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      .map((name) => `tools: bad or double name ${name}`),
    ...tools.flatMap((tool, at) => checkTool(tool, `tools.${at}`)),
  ];
}

const FIELDS = ['name', 'description', 'input_schema', 'type', 'cache_control', 'strict', 'input_examples'];
/** These may not be at the top of a tool's schema. */
const CHOICES = ['anyOf', 'oneOf', 'allOf'];

function checkTool(tool: Json, at: string): string[] {
  const schema = field(tool, 'input_schema');
  if (!isJsonObject(tool) || !isJsonObject(schema)) return [`${at}.input_schema: field required`];
  return [
    ...Object.keys(tool).flatMap((key) => (FIELDS.includes(key) ? [] : [`${at}.${key}: Extra inputs are not permitted`])),
    ...(schema['type'] === 'object' ? [] : [`${at}.input_schema.type: must be object`]),
    ...CHOICES.flatMap((key) => (schema[key] === undefined ? [] : [`${at}.input_schema: no ${key} at the top level`])),
    ...(isSchema(schema) ? [] : [`${at}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`]),
  ];
}
