import type { Json } from '../../../plan/text/json';
import type { ReplyBase } from '../model-server/served';

export interface CompletionsReply extends ReplyBase {
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
  /** `json`: one document, whatever was asked for; `unmarked`: a stream that is not called one. @default 'stream' */
  form?: 'stream' | 'json' | 'unmarked';
  /** The stream ends without `[DONE]`. */
  done?: false;
  /** How calls are distinguished; `every-id`: no index, and the id again with every piece. @default 'index' */
  callsBy?: 'index' | 'id' | 'every-id' | 'one-index' | 'function_call';
}

export interface ServedCall {
  name: string;
  /** A text is sent as it is, JSON or not. */
  args: Json;
  /** @default one of the server's */
  id?: string;
  extra?: Json;
}

export function say(text: string, more: Omit<CompletionsReply, 'kind' | 'text'> = {}): CompletionsReply {
  return { kind: 'reply', text, ...more };
}

/** A reply that calls tools, all at once: `[name, arguments]`. */
export function call(...calls: readonly (readonly [string, Json])[]): CompletionsReply {
  return { kind: 'reply', calls: calls.map(([name, args]) => ({ name, args })) };
}
