import type { Json } from '../../../plan/text/json';
import type { ReplyBase } from '../model-server/served';

export interface CompletionsReply extends ReplyBase {
  text?: string;
  refusal?: string;
  /** The reasoning, which some servers send before the text. */
  reasoning?: string;
  calls?: readonly ServedCall[];
  /** Null: the server gives no reason. @default `tool_calls` if the reply has calls, else `stop` */
  finish?: string | null;
  /** Null: the server reports no usage. @default 10 tokens in, and a quarter of the text's length out */
  usage?: { prompt?: number; completion?: number; cached?: number } | null;
  /** `along`: usage comes with every piece, as with some servers. @default at the end */
  tells?: 'along';
  /** `json`: one document, whatever was requested; `unmarked`: a stream without the content type of one. @default 'stream' */
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
