import type { ToolCall } from '../../../plan/agents/tool';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { unreachable } from '../../../plan/unreachable';
import type { Turn } from '../../../records/transcripts/turn';

/**
 * A context as the messages of chat completions. Pure.
 *
 * Invariants: 1. the same turns give the same messages, so a longer context begins with the shorter one's; 2. what a service put into a
 * message beside text and calls goes back to it with the calls it belongs to.
 */
export function completionMessages(system: string, turns: readonly Turn[]): JsonObject[] {
  return [...(system === '' ? [] : [{ role: 'system', content: system }]), ...turns.map(messageOf)];
}

/** What of a service's message is kept for it, in `Turn.message`. */
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

/** A model may call what was never offered; the service takes no name back that it would not take for a tool. */
function wireName(tool: string): string {
  return tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

/** Servers read it as an object. What the model wrote in place of one it is shown as its own words. */
function argumentsText(args: Json): string {
  return JSON.stringify(isJsonObject(args) ? args : { malformed: args });
}
