import { defined, unlessEmpty } from '../../../plan/defined';
import type { Json, JsonObject } from '../../../plan/text/json';
import { field, isJsonObject } from '../../../plan/text/json';
import type { ModelRequest } from '../model/service';
import { completionMessages } from './messages';
import type { CompletionsFeatures } from './request-features';

/**
 * Whether the official service can hold a model strictly to a schema: every object in it lists its fields, requires all of them and allows
 * no others (its guide to structured outputs). Other schemas are sent too, as a wish. Pure.
 */
function isStrict(schema: Json): boolean {
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

/**
 * The body of a request. Pure. The constant parts of a context, such as tools and schema, come out the same.
 *
 * This family has no word for a thinking limit (`thinkingTokens`).
 *
 * @param schemaWithTools whether a model that is held to a schema can still call tools; otherwise the schema is left to the prompt
 */
export function completionBody(request: ModelRequest, dialect: CompletionsFeatures, schemaWithTools: boolean): JsonObject {
  const { model, system, turns, tools, schema, maxTokens } = request;
  const { limit, mostTokens = Number.POSITIVE_INFINITY } = dialect;
  const held = schema !== undefined && dialect.schema && (schemaWithTools || tools.length === 0);
  return {
    model,
    messages: completionMessages(system, turns),
    ...defined({
      tools: unlessEmpty(tools.map(({ name, description, parameters }) => functionOf(name, description, parameters))),
      response_format: held ? responseFormat(schema) : undefined,
    }),
    ...(limit === undefined || maxTokens === undefined ? {} : { [limit]: Math.min(maxTokens, mostTokens) }),
    stream: true,
    ...(dialect.usage ? { stream_options: { include_usage: true } } : {}),
  };
}

function functionOf(name: string, description: string, parameters: Json): JsonObject {
  return { type: 'function', function: { name, description, parameters } };
}

function responseFormat(schema: Json): JsonObject {
  return { type: 'json_schema', json_schema: { name: 'answer', schema, ...defined({ strict: isStrict(schema) || undefined }) } };
}
