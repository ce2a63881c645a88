import type { Chat } from '../../plan/people/chats';
import type { JsonObject } from '../../plan/text/json';
import type { CallbackContext } from './callback-context';
import { CallbackRefused } from './refusal';
import { type RequestFacts, recordRefusal } from './refusal-record';

/** How one chat proves its requests, and how they are answered once they are proven. */
export interface ChatCallback {
  /** The media type of the chat's requests. */
  contentType: string;
  /** The signature of a request, and the moment that it covers, as the headers have them; empty if they lack one. */
  signatureIn(headers: Headers): { signature: string; timestamp: string };
  /** `key` is what the settings have for the chat. All else is as it came; what is no signature does not fit. */
  isSigned(key: string, timestamp: string, body: Buffer, signature: string): boolean;
  /** What the chat has to be answered when it checks the address that it sends events to. Undefined for an event. */
  challenge?(body: Buffer): ChatReply | undefined;
  /** Throws `CallbackRefused` for what is refused by status alone. */
  answer(context: CallbackContext, about: RequestFacts, request: ProvenRequest): Promise<ChatReply>;
}

/** The ways in that the listener is given (`channels/callbacks.ts`). */
export interface CallbackWays {
  chats: Readonly<Record<Chat, ChatCallback>>;
  /** Proves and takes a decision of whatever a channel's webhook leads to. Throws `CallbackRefused`. */
  webhook(context: CallbackContext, about: RequestFacts, body: Buffer, headers: Headers): Promise<JsonObject>;
}

/** A request that is the chat's own. */
export interface ProvenRequest {
  body: Buffer;
  signature: string;
}

/** What the chat gets. `status` is the outcome of the request: 200, a refusal's, or 202 if that is not known yet. */
export interface ChatReply {
  status: number;
  /** Absent: an empty answer. */
  body?: JsonObject;
}

/** From here on the sender is a user of the chat, with a rate of their own, and the request `id` counts once. */
export function admit({ limit, replays }: CallbackContext, about: RequestFacts, chat: Chat, user: string, id: string): void {
  about.from = `${chat}:${user.slice(0, 40)}`;
  limit.take(about.from);
  replays.take(id);
}

/** A refusal that the sender learns in words, recorded. A request that failed otherwise may be sent again; that failure is thrown. */
export function refusalInWords(context: CallbackContext, about: RequestFacts, id: string, error: unknown): CallbackRefused {
  if (!(error instanceof CallbackRefused) || error.status === 503) context.replays.forget(id);
  if (!(error instanceof CallbackRefused)) throw error;
  recordRefusal(context, about, error);
  return error;
}

/** The result of work if it comes within a time; undefined if it takes longer, and the work continues. */
export async function withinLimit<T>(work: Promise<T>, limitMs: number): Promise<{ value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([work.then((value) => ({ value })), late]);
  } finally {
    clearTimeout(timer);
  }
}
