import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { ToolCall } from '../../../plan/agents/tool';
import { defined } from '../../../plan/defined';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import type { Turn } from '../../../records/transcripts/turn';
import { openMessage } from './thinking-seal';

export interface AnthropicMessage {
  role: 'user' | 'assistant';
  content: ContentBlockParam[];
}

/**
 * Turns in the service's format. Pure: the same turns give the same messages, byte for byte, and further turns only append messages.
 *
 * Invariants: 1. roles alternate, the user's first; 2. results are together, directly after their calls; 3. no block is empty; 4. a reply
 * is sent back unchanged, thinking included, unless masking has changed the thinking.
 */
export function messagesOf(turns: readonly Turn[]): AnthropicMessage[] {
  const messages: AnthropicMessage[] = [];
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(turn);
    if (content.length === 0) continue;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  }
  return messages;
}

/**
 * Whether manual thinking can continue from here: the service requires the reply whose calls were just answered to begin with its thinking.
 */
export function keepsThinking(messages: readonly AnthropicMessage[]): boolean {
  const asked = messages.findLastIndex(({ role, content }) => role === 'user' && !isResults(content));
  const reply = messages.slice(asked + 1).find(({ role }) => role === 'assistant');
  if (!reply) return true;
  const [first] = reply.content;
  return first?.type === 'thinking' || first?.type === 'redacted_thinking';
}

function isResults(content: readonly ContentBlockParam[]): boolean {
  return content.some(({ type }) => type === 'tool_result');
}

function blocksOf(turn: Turn): ContentBlockParam[] {
  switch (turn.role) {
    case 'user':
      return [{ type: 'text', text: turn.text.trim() === '' ? '(nothing)' : turn.text }];
    case 'tool':
      return [resultOf(turn)];
    case 'assistant':
      return replyAsItCame(turn) ?? [...textOf(turn.text), ...(turn.calls ?? []).map(useOf)];
  }
}

function resultOf({ text, call, refused }: Turn): ContentBlockParam {
  return { type: 'tool_result', tool_use_id: plainId(call?.id ?? ''), content: text, ...defined({ is_error: refused }) };
}

/** A reply that continues is the last message, and the service refuses one that ends in blanks; so none ever does. */
function textOf(text: string): ContentBlockParam[] {
  return text.trim() === '' ? [] : [{ type: 'text', text: text.trimEnd() }];
}

function useOf({ id, tool, args }: ToolCall): ContentBlockParam {
  return { type: 'tool_use', id: plainId(id), name: plainName(tool), input: inputOf(args) };
}

/** Ids of other services, which spoke in the same context before, have other characters in them. */
function plainId(id: string): string {
  return id.replace(OTHER_CHARACTERS, '_');
}

/** A model may call a tool that was never offered; the service accepts only valid tool names back. */
function plainName(tool: string): string {
  return tool.replace(OTHER_CHARACTERS, '_').slice(0, 128) || 'unnamed';
}

const OTHER_CHARACTERS = /[^A-Za-z0-9_-]/g;

/** The service accepts only objects; any other value is wrapped in one. */
export function inputOf(args: Json): JsonObject {
  return isJsonObject(args) ? args : { malformed: args };
}

/** Ids of calls are the transcript's: services may give the same one twice. */
function replyAsItCame({ message, calls = [] }: Turn): ContentBlockParam[] | undefined {
  const content = openMessage(message);
  if (!content || content.filter(isUse).length !== calls.length) return undefined;
  const ids = calls.map(({ id }) => id);
  const shown: unknown[] = content.flatMap((block): (Json | ContentBlockParam)[] => {
    if (isUse(block)) return [{ ...block, id: plainId(ids.shift() ?? ''), name: plainName(String(field(block, 'name') ?? '')) }];
    const text = field(block, 'type') === 'text' ? field(block, 'text') : undefined;
    return typeof text === 'string' ? textOf(text) : [block];
  });
  return shown as ContentBlockParam[];
}

function isUse(block: Json): block is JsonObject {
  return field(block, 'type') === 'tool_use';
}
