import { isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { signatureOf } from './reply-events';

/** Checks one block of a message, or of the system's text. */
export function checkBlock(block: Json, at: string): string[] {
  if (!isJsonObject(block)) return [`${at}: a block is an object`];
  const type = String(block['type']);
  const fields = Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
  if (!fields) return [`${at}: Input tag '${type}' found using 'type' does not match any of the expected tags`];
  const unknown = Object.keys(block).filter((key) => key !== 'type' && !fields.includes(key));
  return [
    ...unknown.map((key) => `${at}.${type}.${key}: Extra inputs are not permitted`),
    ...checkMark(block, at),
    ...checkContent(block, at),
  ];
}

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'citations', 'cache_control'],
  tool_use: ['id', 'name', 'input', 'caller', 'cache_control'],
  tool_result: ['tool_use_id', 'content', 'is_error', 'cache_control'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  server_tool_use: ['id', 'name', 'input', 'caller', 'cache_control'],
};

function checkMark({ cache_control: mark }: JsonObject, at: string): string[] {
  if (mark === undefined) return [];
  const good = isJsonObject(mark) && mark['type'] === 'ephemeral' && Object.keys(mark).every((key) => key === 'type' || key === 'ttl');
  return good ? [] : [`${at}.cache_control: ${JSON.stringify(mark)}`];
}

function checkContent(
  { type, text, id, name, input, thinking, signature, data, tool_use_id, content, is_error }: JsonObject,
  at: string,
): string[] {
  switch (type) {
    case 'text':
      return typeof text === 'string' && text.trim() !== '' ? [] : [`${at}: text content blocks must contain non-whitespace text`];
    case 'tool_use': {
      const good = isId(id) && typeof name === 'string' && /^[a-zA-Z0-9_-]{1,200}$/.test(name) && isJsonObject(input);
      return good ? [] : [`${at}: a tool_use needs id, name and an object as input`];
    }
    case 'tool_result': {
      const good =
        isId(tool_use_id) &&
        (typeof content === 'string' || content === undefined) &&
        (is_error === undefined || typeof is_error === 'boolean');
      return good ? [] : [`${at}: a tool_result needs tool_use_id, and a text as content`];
    }
    case 'thinking':
      return signature === signatureOf(String(thinking)) ? [] : [`${at}: invalid signature in thinking block`];
    case 'redacted_thinking':
      return typeof data === 'string' && data !== '' ? [] : [`${at}: redacted_thinking needs data`];
    default:
      return [];
  }
}

function isId(id: Json | undefined): boolean {
  return typeof id === 'string' && /^[a-zA-Z0-9_-]+$/.test(id);
}
