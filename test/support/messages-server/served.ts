import type { Json, JsonObject } from '../../../plan/json';

/** What the server gives for one request. */
export type Served = ServedReply | ServedError | { kind: 'silence' };

export interface ServedReply {
  kind: 'reply';
  content: readonly JsonObject[];
  /** @default `tool_use` where the last block calls, else `end_turn` */
  stop?: string;
  /** Why it refuses, where `stop` says that it does. */
  explanation?: string;
  /** @default the one that was asked for */
  model?: string;
  usage?: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number };
  /** Before anything is sent. */
  afterMs?: number;
  /** Between events. */
  dripMs?: number;
  fault?: Fault;
}

/** `body` absent: an error as the API words it. */
export interface ServedError {
  kind: 'error';
  status: number;
  type?: string;
  message?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** Events are counted from 1: `message_start`, `ping`, then those of the content. */
export type Fault =
  | { kind: 'cut'; atEvent: number }
  /** Of the stream. */
  | { kind: 'cut-bytes'; atByte: number }
  | { kind: 'malformed'; atEvent: number }
  /** An error in the stream. */
  | { kind: 'error'; atEvent: number; type: string; message?: string }
  /** Nothing more comes, and the connection stays. */
  | { kind: 'hang'; atEvent: number }
  /** The first text block goes on for ever. */
  | { kind: 'endless'; piece?: string }
  | { kind: 'endless-line' }
  | { kind: 'invalid-utf8' };

/** A reply of one text. */
export function say(text: string, more: Omit<ServedReply, 'kind' | 'content'> = {}): ServedReply {
  return { kind: 'reply', content: [{ type: 'text', text }], ...more };
}

export function sayJson(value: Json, more: Omit<ServedReply, 'kind' | 'content'> = {}): ServedReply {
  return say(JSON.stringify(value), more);
}

/** A reply that calls tools, all at once: `[name, arguments]`. Arguments that are a text are sent as they are, JSON or not. */
export function call(...calls: readonly (readonly [string, Json])[]): ServedReply {
  return { kind: 'reply', content: calls.map(([name, input]) => ({ type: 'tool_use', name, input })) };
}

export function think(thinking: string): JsonObject {
  return { type: 'thinking', thinking };
}

export function fail(status: number, message: string, more: Omit<ServedError, 'kind' | 'status' | 'message'> = {}): ServedError {
  return { kind: 'error', status, message, ...more };
}

/** Names of errors by status, as the API has them. */
export const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
