import type { Json, JsonObject } from '../../../plan/json';
import type { ModelRequest } from '../model/service';
import type { Dialect } from './dialect';
import { messagesOf } from './messages';
import { isStrict } from './strict-schema';

/**
 * The body of a request. Pure. What stays the same over a context, tools and schema among it, comes out the same.
 *
 * How much a model may think (`thinkingTokens`) has no word in this family.
 *
 * @param schemaWithTools whether a model that is held to a schema can still call tools; elsewhere the schema is left to the prompt
 */
export function requestBody(request: ModelRequest, dialect: Dialect, schemaWithTools: boolean): JsonObject {
  const { model, system, turns, tools, schema, maxTokens } = request;
  const { limit, mostTokens = Number.POSITIVE_INFINITY } = dialect;
  const held = schema !== undefined && dialect.schema && (schemaWithTools || tools.length === 0);
  return {
    model,
    messages: messagesOf(system, turns),
    ...(tools.length === 0 ? {} : { tools: tools.map(({ name, description, parameters }) => functionOf(name, description, parameters)) }),
    ...(held ? { response_format: responseFormat(schema) } : {}),
    ...(limit === undefined || maxTokens === undefined ? {} : { [limit]: Math.min(maxTokens, mostTokens) }),
    stream: true,
    ...(dialect.usage ? { stream_options: { include_usage: true } } : {}),
  };
}

function functionOf(name: string, description: string, parameters: Json): JsonObject {
  return { type: 'function', function: { name, description, parameters } };
}

function responseFormat(schema: Json): JsonObject {
  return { type: 'json_schema', json_schema: { name: 'answer', schema, ...(isStrict(schema) ? { strict: true } : {}) } };
}
