import type { ToolCall } from '../../../plan/agents/tool';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { unreachable } from '../../../plan/unreachable';
import type { Turn } from '../../../records/transcripts/turn';

/**
 * A context as the messages of chat completions. Pure.
 *
 * Invariants: 1. the same turns give the same messages, so a longer context begins with the shorter one's; 2. fields that a service put
 * into a message, apart from text and calls, are sent back with the calls they belong to.
 */
export function completionMessages(system: string, turns: readonly Turn[]): JsonObject[] {
  return [...(system === '' ? [] : [{ role: 'system', content: system }]), ...turns.map(messageOf)];
}

/** The parts of a service's message that are kept for it, in `Turn.message`. */
export interface KeptMessage extends JsonObject {
  /** Fields of the message itself, such as `reasoning_content`. */
  fields: JsonObject;
  /** Fields of its calls, in their order. */
  calls: JsonObject[];
}

function messageOf(turn: Turn): JsonObject {
  switch (turn.role) {
    case 'user':
      return { role: 'user', content: turn.text };
    case 'tool':
      return { role: 'tool', tool_call_id: turn.call?.id ?? '', content: turn.text };
    case 'assistant':
      return assistantMessage(turn);
    default:
      return unreachable(turn.role);
  }
}

function assistantMessage({ text, calls = [], message }: Turn): JsonObject {
  // Some servers take no message without content.
  if (calls.length === 0) return { role: 'assistant', content: text.trim() === '' ? '(nothing)' : text };
  const [fields, kept] = [field(message, 'fields'), field(message, 'calls')];
  return {
    ...(isJsonObject(fields) ? fields : {}),
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: calls.map((call, at) => callOf(call, Array.isArray(kept) ? kept[at] : undefined)),
  };
}

function callOf({ id, tool, args }: ToolCall, kept: Json | undefined): JsonObject {
  const made = { type: 'function', function: { name: wireName(tool), arguments: argumentsText(args) } };
  return { ...(isJsonObject(kept) ? kept : {}), id, ...made };
}

/** A model may call a tool that was never offered; the service accepts only valid tool names back. */
function wireName(tool: string): string {
  return tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

/** Servers parse it as an object. If the model wrote something else, it is shown its own words. */
function argumentsText(args: Json): string {
  return JSON.stringify(isJsonObject(args) ? args : { malformed: args });
}
