import type { Json, JsonObject } from '../../../plan/text/json';
import type { ReplyBase } from '../model-server/served';

export interface MessagesReply extends ReplyBase {
  content: readonly JsonObject[];
  /** @default `tool_use` if the last block is a call, else `end_turn` */
  stop?: string;
  /** The reason for a refusal, if `stop` is one. */
  explanation?: string;
  usage?: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number };
}

/** A reply of one text. */
export function say(text: string, more: Omit<MessagesReply, 'kind' | 'content'> = {}): MessagesReply {
  return { kind: 'reply', content: [{ type: 'text', text }], ...more };
}

export function sayJson(value: Json, more: Omit<MessagesReply, 'kind' | 'content'> = {}): MessagesReply {
  return say(JSON.stringify(value), more);
}

/** A reply that calls tools, all at once: `[name, arguments]`. Arguments that are a text are sent unchanged, JSON or not. */
export function call(...calls: readonly (readonly [string, Json])[]): MessagesReply {
  return { kind: 'reply', content: calls.map(([name, input]) => ({ type: 'tool_use', name, input })) };
}

export function think(thinking: string): JsonObject {
  return { type: 'thinking', thinking };
}
