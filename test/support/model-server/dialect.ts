import type { IncomingHttpHeaders } from 'node:http';
import type { ScriptedReply } from '../../../plan/agents/script';
import type { Json, JsonObject } from '../../../plan/text/json';
import type { ReplyBase, ServedError } from './served';

/**
 * What is a family's own: what a request must look like, and how a reply is put into frames. It knows no connection, counts nothing and
 * remembers nothing.
 */
export interface Dialect<Reply extends ReplyBase> {
  /** The path of its base URL. */
  base: string;
  /** Where a reply is asked for. */
  path: string;
  /** Further pages, for every caller with the key. */
  pages?: Readonly<Record<string, Json>>;
  /** The key that its servers take. */
  key: string;
  hasKey(headers: IncomingHttpHeaders, key: string): boolean;
  unauthorized(headers: IncomingHttpHeaders): ServedError;
  /** What the service refuses with a 400, in words. */
  check(body: JsonObject, headers: IncomingHttpHeaders): string[];
  /** What it does not know although the family does; refused and not noted. */
  refusal?(body: JsonObject): ServedError | undefined;
  /** What a cache goes by: tools, the system's text, then what was said, oldest first. */
  piecesOf(body: Json): string[];
  /** Texts of the last message of the user. */
  saidIn(body: JsonObject): string;
  errorOf(error: ServedError): Json;
  /** The ids of the n-th reply and the n-th call, counted over the whole server. */
  ids: { reply(n: number): string; call(n: number): string };
  headersOf(reply: Reply, id: string): Readonly<Record<string, string>>;
  framesOf(reply: Reply, sending: Sending): Iterable<Frame>;
  /** An error within a stream. */
  errorFrame(error: Json): string;
  /** How it speaks as a script has it. */
  voice: Voice<Reply>;
}

/** How a dialect says what a script has. */
export interface Voice<Reply> {
  say(text: string, usage: NonNullable<ScriptedReply['usage']>): Reply;
  call(tool: string, args: Json): Reply;
  refuse(message: string): Reply;
  /** The status by which it says that it is overloaded. */
  overloaded: number;
  /** How many results of calls the request has that is in progress. */
  resultsIn(body: JsonObject): number;
}

/** One reply as it is sent. */
export interface Sending {
  id: string;
  model: string;
  /** That is answered. */
  body: JsonObject;
  nextCallId(): string;
}

/** What is sent at once. */
export interface Frame {
  text: string;
  /** The receiver has to pay for it. */
  paid: boolean;
}

const PIECE = 24;
/** A text of megabytes comes in longer ones. */
const MOST_PIECES = 2000;

/** A text as a model gives it: piece by piece. */
export function inPieces(text = ''): string[] {
  const size = Math.max(PIECE, Math.ceil(text.length / MOST_PIECES));
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
}

/** A text that continues forever. Each piece is more than a connection takes at once, so that others have their turn. */
export function* endlessPieces(text: string): Generator<string> {
  yield* inPieces(text);
  while (true) yield 'and so on, '.repeat(3000);
}
