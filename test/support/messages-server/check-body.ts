import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { checkBlock } from './check-block';
import { checkFormat } from './check-format';
import { checkTools } from './check-tools';

/** The problems for which the API would refuse a request with a 400. These checks share no code with the adapter. */
export function checkBody(body: Json): string[] {
  if (!isJsonObject(body)) return ['the body is not a JSON object'];
  const messages = field(body, 'messages');
  return [
    ...Object.keys(body).flatMap((key) => (PARAMETERS.includes(key) ? [] : [`${key}: Extra inputs are not permitted`])),
    ...checkSystem(field(body, 'system')),
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

/** Since version 2026-10-21 the API has no fields for the choice of words, such as `temperature`. */
const PARAMETERS = [
  ...['model', 'messages', 'max_tokens', 'system', 'tools', 'tool_choice', 'stream', 'stop_sequences', 'thinking', 'output_config'],
  ...['metadata', 'service_tier', 'cache_control', 'container', 'inference_geo', 'speed'],
];

function checkSystem(system: Json | undefined): string[] {
  if (system === undefined || typeof system === 'string') return [];
  if (!Array.isArray(system) || system.length === 0) return ['system: a text, or a list of them'];
  return system.flatMap((block) => (field(block, 'type') === 'text' ? checkBlock(block, 'system') : ['system: texts alone']));
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
    for (const block of blocks) problems.push(...checkBlock(block, `messages.${at}`));
    problems.push(...misplaced(role, blocks, at));
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
  const end = field(blocksOf(messages.at(-1)).at(-1), 'text');
  if (field(messages.at(-1), 'role') === 'assistant' && typeof end === 'string' && end !== end.trimEnd())
    problems.push('messages: final assistant content cannot end with trailing whitespace');
  return [...problems, ...checkThinking(messages, body)];
}

/** Blocks that only the other role may send. */
function misplaced(role: Json | undefined, blocks: readonly Json[], at: number): string[] {
  const others = role === 'user' ? ['tool_use', 'thinking', 'redacted_thinking'] : ['tool_result', 'image', 'document'];
  const found = blocks.map((block) => String(field(block, 'type'))).filter((type) => others.includes(type));
  return found.map((type) => `messages.${at}: ${type} is not for ${String(role)}`);
}

const FORMS: Readonly<Record<string, readonly string[]>> = {
  enabled: ['type', 'budget_tokens', 'display'],
  adaptive: ['type', 'display'],
  disabled: ['type'],
};

function checkThinking(messages: readonly Json[], body: JsonObject): string[] {
  const thinking = field(body, 'thinking');
  if (thinking === undefined) return [];
  const form = FORMS[String(field(thinking, 'type'))];
  if (!form || !isJsonObject(thinking) || !Object.keys(thinking).every((key) => form.includes(key)))
    return [`thinking: ${JSON.stringify(thinking)} is no form of it`];
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

const MOST_MARKS = 4;

function checkMarks(body: JsonObject): string[] {
  const marks = JSON.stringify(body).split('"cache_control":').length - 1;
  return marks <= MOST_MARKS ? [] : [`a maximum of ${MOST_MARKS} blocks with cache_control, found ${marks}`];
}

export function blocksOf(message: Json | undefined): readonly Json[] {
  const content = field(message, 'content');
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

function usesOf(message: Json | undefined): string[] {
  return blocksOf(message).flatMap((block) => (field(block, 'type') === 'tool_use' ? [String(field(block, 'id'))] : []));
}
