import type { Json } from '../../../plan/json';

/** What the server gives for one request. */
export type Served = ServedReply | ServedError | { kind: 'silence' };

export interface ServedReply {
  kind: 'reply';
  text?: string;
  refusal?: string;
  /** Told before the text, as some servers do. */
  reasoning?: string;
  calls?: readonly ServedCall[];
  /** Null: the server does not say. @default `tool_calls` where it calls, else `stop` */
  finish?: string | null;
  /** Null: the server does not say. @default 10 read, and a quarter of what is said */
  usage?: { prompt?: number; completion?: number; cached?: number } | null;
  /** `along`: with every piece, as some servers do. @default at the end */
  tells?: 'along';
  /** @default the one that was asked for */
  model?: string;
  /** `json`: one document, whatever was asked for; `unmarked`: a stream that is not called one. @default 'stream' */
  form?: 'stream' | 'json' | 'unmarked';
  /** How calls are told apart; `every-id`: no index, and the id again with every piece. @default 'index' */
  callsBy?: 'index' | 'id' | 'every-id' | 'one-index' | 'function_call';
  /** Before anything is sent. */
  afterMs?: number;
  /** Between pieces. */
  dripMs?: number;
  fault?: Fault;
}

export interface ServedCall {
  name: string;
  /** A text is sent as it is, JSON or not. */
  args: Json;
  /** @default one of the server's */
  id?: string;
  extra?: Json;
}

/** `body` absent: an error as the API words it. */
export interface ServedError {
  kind: 'error';
  status: number;
  message?: string;
  code?: string;
  param?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** Pieces are counted from 1: the role first, then reasoning, text, calls, the finish reason, usage, `[DONE]`. */
export type Fault =
  | { kind: 'cut'; atPiece: number }
  /** The stream ends as if all were well. */
  | { kind: 'end'; atPiece: number }
  | { kind: 'malformed'; atPiece: number }
  /** An error in the stream. */
  | { kind: 'error'; atPiece: number; error: Json }
  /** Nothing more comes, and the connection stays. */
  | { kind: 'hang'; atPiece: number }
  | { kind: 'no-done' }
  /** The text goes on for ever. */
  | { kind: 'endless' }
  | { kind: 'endless-line' }
  | { kind: 'invalid-utf8' };

export function say(text: string, more: Omit<ServedReply, 'kind' | 'text'> = {}): ServedReply {
  return { kind: 'reply', text, ...more };
}

export function sayJson(value: Json, more: Omit<ServedReply, 'kind' | 'text'> = {}): ServedReply {
  return say(JSON.stringify(value), more);
}

/** A reply that calls tools, all at once: `[name, arguments]`. */
export function call(...calls: readonly (readonly [string, Json])[]): ServedReply {
  return { kind: 'reply', calls: calls.map(([name, args]) => ({ name, args })) };
}

export function fail(status: number, message: string, more: Omit<ServedError, 'kind' | 'status' | 'message'> = {}): ServedError {
  return { kind: 'error', status, message, ...more };
}

export function webPage(status = 200): ServedError {
  return { kind: 'error', status, body: '<!doctype html><html><body>Welcome</body></html>' };
}
