import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/json';
import { signatureOf } from './stream-reply';

/** What the API would refuse with a 400, in words. The checks are this fixture's own: none is the adapter's code. */
export function checkBody(body: Json): string[] {
  if (!isJsonObject(body)) return ['the body is no JSON object'];
  const messages = field(body, 'messages');
  return [
    ...(typeof field(body, 'model') === 'string' ? [] : ['model: field required']),
    ...(Number.isInteger(field(body, 'max_tokens')) && Number(field(body, 'max_tokens')) > 0
      ? []
      : ['max_tokens: a positive integer is required']),
    ...(field(body, 'stream') === true ? [] : ['stream: true is wanted here']),
    ...(Array.isArray(messages) && messages.length > 0 ? checkMessages(messages, body) : ['messages: field required']),
    ...checkTools(field(body, 'tools')),
    ...checkMarks(body),
    ...checkFormat(field(field(body, 'output_config'), 'format')),
  ];
}

function checkMessages(messages: readonly Json[], body: JsonObject): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  if (field(messages[0], 'role') !== 'user') problems.push('messages.0: the first message must be the user’s');
  for (const [at, message] of messages.entries()) {
    const role = field(message, 'role');
    if (role !== 'user' && role !== 'assistant') problems.push(`messages.${at}.role: user or assistant`);
    if (at > 0 && role === field(messages[at - 1], 'role')) problems.push(`messages.${at}: roles must alternate`);
    const blocks = blocksOf(message);
    if (blocks.length === 0) problems.push(`messages.${at}: content must not be empty`);
    for (const block of blocks) problems.push(...checkBlock(block, at));
    const wanted = at > 0 ? usesOf(messages[at - 1]) : [];
    const given = blocks.flatMap((block) => (field(block, 'type') === 'tool_result' ? [String(field(block, 'tool_use_id'))] : []));
    if (wanted.join() !== given.join())
      problems.push(`messages.${at}: results ${given.join() || 'none'} for calls ${wanted.join() || 'none'}`);
    if (blocks.slice(0, given.length).some((block) => field(block, 'type') !== 'tool_result'))
      problems.push(`messages.${at}: results come first`);
    for (const id of usesOf(message)) {
      if (ids.has(id)) problems.push(`messages.${at}: tool_use ids must be unique, ${id} is not`);
      ids.add(id);
    }
  }
  if (usesOf(messages.at(-1)).length > 0) problems.push('the last calls have no results');
  return [...problems, ...checkThinking(messages, body)];
}

function checkBlock(block: Json, at: number): string[] {
  const { type, text, id, name, input, thinking, signature } = isJsonObject(block) ? block : {};
  if (type === 'text') return typeof text === 'string' && text.trim() !== '' ? [] : [`messages.${at}: text must not be blank`];
  if (type === 'tool_use') {
    const good = /^[a-zA-Z0-9_-]+$/.test(String(id)) && typeof name === 'string' && isJsonObject(input);
    return good ? [] : [`messages.${at}: a tool_use needs id, name and an object as input`];
  }
  if (type === 'thinking')
    return signature === signatureOf(String(thinking)) ? [] : [`messages.${at}: invalid signature in thinking block`];
  return [];
}

function checkThinking(messages: readonly Json[], body: JsonObject): string[] {
  const thinking = field(body, 'thinking');
  if (field(thinking, 'type') !== 'enabled') return [];
  const budget = Number(field(thinking, 'budget_tokens'));
  if (!(budget >= 1024 && budget < Number(field(body, 'max_tokens'))))
    return ['thinking.budget_tokens: at least 1024 and less than max_tokens'];
  const asked = messages.findLastIndex(
    (message) => field(message, 'role') === 'user' && !blocksOf(message).some((block) => field(block, 'type') === 'tool_result'),
  );
  const first = messages.slice(asked + 1).find((message) => field(message, 'role') === 'assistant');
  const type = first && field(blocksOf(first)[0], 'type');
  return first === undefined || type === 'thinking' || type === 'redacted_thinking' ? [] : [`expected thinking, but found ${String(type)}`];
}

function checkTools(tools: Json | undefined): string[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools) || tools.length === 0) return ['tools: a list that is not empty'];
  const names = tools.map((tool) => String(field(tool, 'name')));
  return [
    ...names
      .filter((name, at) => names.indexOf(name) !== at || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      .map((name) => `tools: bad or double name ${name}`),
    ...tools.flatMap((tool, at) =>
      field(field(tool, 'input_schema'), 'type') === 'object' ? [] : [`tools.${at}.input_schema.type: must be object`],
    ),
  ];
}

const MOST_MARKS = 4;

function checkMarks(body: JsonObject): string[] {
  const marks = JSON.stringify(body).split('"cache_control":').length - 1;
  return marks <= MOST_MARKS ? [] : [`a maximum of ${MOST_MARKS} blocks with cache_control, found ${marks}`];
}

function checkFormat(format: Json | undefined): string[] {
  if (format === undefined) return [];
  if (field(format, 'type') !== 'json_schema') return ['output_config.format.type: json_schema'];
  const problems = checkSchema(field(format, 'schema') ?? null, 'schema');
  return field(field(format, 'schema'), 'type') === 'object'
    ? problems
    : [...problems, 'output_config.format.schema: must be of type object'];
}

const KEYWORDS = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'format',
  'minItems',
  'title',
  'description',
];

function checkSchema(schema: Json, at: string): string[] {
  if (!isJsonObject(schema)) return [`${at}: no schema`];
  const unknown = Object.keys(schema).filter((key) => !KEYWORDS.includes(key));
  const problems = unknown.map((key) => `${at}: ${key} is not supported`);
  if (schema['type'] === 'object' && schema['additionalProperties'] !== false) problems.push(`${at}: additionalProperties must be false`);
  if (schema['minItems'] !== undefined && Number(schema['minItems']) > 1) problems.push(`${at}: minItems must be 0 or 1`);
  for (const key of ['properties', '$defs']) {
    const inner = field(schema, key);
    if (isJsonObject(inner)) for (const [name, one] of Object.entries(inner)) problems.push(...checkSchema(one, `${at}.${name}`));
  }
  const inner = [field(schema, 'items'), ...[field(schema, 'anyOf') ?? []].flat()];
  return [...problems, ...inner.flatMap((one) => (one === undefined ? [] : checkSchema(one, `${at}[]`)))];
}

export function blocksOf(message: Json | undefined): readonly Json[] {
  const content = field(message, 'content');
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

function usesOf(message: Json | undefined): string[] {
  return blocksOf(message).flatMap((block) => (field(block, 'type') === 'tool_use' ? [String(field(block, 'id'))] : []));
}
