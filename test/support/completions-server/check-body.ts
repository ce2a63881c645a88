import { field, isJsonObject, type Json } from '../../../plan/text/json';
import { isSchema } from '../model-server/json-schema';

/** The problems for which the API would refuse a request with a 400. These checks share no code with the adapter. */
export function checkBody(body: Json): string[] {
  if (!isJsonObject(body)) return ['the body is not a JSON object'];
  const messages = field(body, 'messages');
  return [
    ...(typeof field(body, 'model') === 'string' && field(body, 'model') !== '' ? [] : ['you must provide a model parameter']),
    ...(field(body, 'stream') === true ? [] : ['stream: true is wanted here']),
    ...Object.keys(body).flatMap((key) => (KNOWN.includes(key) ? [] : [`Unrecognized request argument supplied: ${key}`])),
    ...(field(body, 'max_tokens') !== undefined && field(body, 'max_completion_tokens') !== undefined ? ['two limits at once'] : []),
    ...(field(body, 'stream_options') === undefined || isUsageWish(field(body, 'stream_options')) ? [] : ['stream_options: unknown']),
    ...LIMITS.flatMap((key) => checkLimit(key, field(body, key))),
    ...(Array.isArray(messages) && messages.length > 0 ? checkMessages(messages) : ['messages: a list that is not empty']),
    ...checkTools(field(body, 'tools')),
    ...checkFormat(field(body, 'response_format')),
  ];
}

const LIMITS = ['max_tokens', 'max_completion_tokens'];
const KNOWN = ['model', 'messages', 'tools', 'response_format', ...LIMITS, 'stream', 'stream_options'];

function checkLimit(key: string, value: Json | undefined): string[] {
  return value === undefined || (Number.isInteger(value) && Number(value) > 0) ? [] : [`${key}: a whole number above 0`];
}

function isUsageWish(options: Json | undefined): boolean {
  return isJsonObject(options) && Object.entries(options).every(([key, value]) => key === 'include_usage' && typeof value === 'boolean');
}

/** The fields of a message by role, with those that services add and that come back with the message. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  system: ['content'],
  user: ['content'],
  tool: ['content', 'tool_call_id'],
  assistant: ['content', 'tool_calls', 'reasoning_content'],
};

function checkFields(message: Json, at: number): string[] {
  const known = FIELDS[String(field(message, 'role'))];
  if (!isJsonObject(message) || !known) return [`messages.${at}.role: ${String(field(message, 'role'))}`];
  return Object.keys(message).flatMap((key) => (key === 'role' || known.includes(key) ? [] : [`messages.${at}.${key}: unknown`]));
}

function checkMessages(messages: readonly Json[]): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    const [role, content] = [field(message, 'role'), field(message, 'content')];
    if (open.length > 0 && role !== 'tool') problems.push(`messages.${at}: calls ${open.join()} have no result`);
    if (role === 'tool') {
      const id = String(field(message, 'tool_call_id'));
      if (!open.includes(id)) problems.push(`messages.${at}: a result of ${id}, which was not called`);
      open = open.filter((other) => other !== id);
    } else open = [];
    if (role === 'system' && at > 0) problems.push(`messages.${at}: the system's message comes first`);
    problems.push(...checkFields(message, at));
    const calls = field(message, 'tool_calls');
    if (typeof content !== 'string' && !(role === 'assistant' && content === null && calls !== undefined))
      problems.push(`messages.${at}.content: text`);
    if (calls === undefined) continue;
    if (role !== 'assistant' || !Array.isArray(calls) || calls.length === 0)
      problems.push(`messages.${at}.tool_calls: an assistant's list`);
    for (const made of Array.isArray(calls) ? calls : []) {
      const id = String(field(made, 'id'));
      problems.push(...checkCall(made, at));
      if (ids.has(id)) problems.push(`messages.${at}: ids of calls must be unique, ${id} is not`);
      ids.add(id);
      open.push(id);
    }
  }
  return open.length > 0 ? [...problems, `calls ${open.join()} have no result`] : problems;
}

function checkCall(made: Json, at: number): string[] {
  const [called, id] = [field(made, 'function'), field(made, 'id')];
  const args = field(called, 'arguments');
  const good =
    typeof id === 'string' && id !== '' && field(made, 'type') === 'function' && isName(field(called, 'name')) && isObjectText(args);
  return good ? [] : [`messages.${at}: a call needs id, type, a name and arguments that are an object's JSON`];
}

function isName(name: Json | undefined): boolean {
  return typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name);
}

function isObjectText(text: Json | undefined): boolean {
  try {
    return typeof text === 'string' && isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function checkTools(tools: Json | undefined): string[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools) || tools.length === 0) return ['tools: a list that is not empty'];
  const names = tools.map((tool) => field(field(tool, 'function'), 'name'));
  return [
    ...names.flatMap((name, at) => (isName(name) && names.indexOf(name) === at ? [] : [`tools: bad or double name ${String(name)}`])),
    ...tools.flatMap((tool) =>
      field(tool, 'type') === 'function' && isSchema(field(field(tool, 'function'), 'parameters') ?? null)
        ? []
        : ['tools: a function needs parameters'],
    ),
  ];
}

function checkFormat(format: Json | undefined): string[] {
  if (format === undefined) return [];
  const schema = field(format, 'json_schema');
  const good = field(format, 'type') === 'json_schema' && isName(field(schema, 'name')) && isJsonObject(field(schema, 'schema'));
  const strict = field(schema, 'strict') === true ? checkClosed(field(schema, 'schema') ?? null) : [];
  return good && isSchema(field(schema, 'schema') ?? null) ? strict : ['response_format: a json_schema with a name'];
}

/** A schema that the service enforces strictly must name all properties, allow no others, and require all. */
function checkClosed(schema: Json): string[] {
  const own = field(schema, 'properties');
  const inner = [...(isJsonObject(own) ? Object.values(own) : []), ...[field(schema, 'items') ?? []].flat()];
  const names = isJsonObject(own) ? Object.keys(own).sort() : [];
  const required = [field(schema, 'required') ?? []].flat().map(String).sort();
  const closed =
    field(schema, 'type') !== 'object' || (field(schema, 'additionalProperties') === false && names.join() === required.join());
  return [...(closed ? [] : ['response_format: an object that is strict is closed']), ...inner.flatMap(checkClosed)];
}
