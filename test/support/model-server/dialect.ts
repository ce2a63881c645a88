import type { IncomingHttpHeaders } from 'node:http';
import type { ScriptedReply } from '../../../plan/agents/script';
import type { Json, JsonObject } from '../../../plan/text/json';
import type { ReplyBase, ServedError } from './served';

/**
 * The rules of one family of services: the form of a request, and the frames of a reply. A dialect knows no connection, and has no state.
 */
export interface Dialect<Reply extends ReplyBase> {
  /** The path of its base URL. */
  base: string;
  /** The path of requests for a reply. */
  path: string;
  /** Further pages, for every caller with the key. */
  pages?: Readonly<Record<string, Json>>;
  /** The key that its servers accept. */
  key: string;
  hasKey(headers: IncomingHttpHeaders, key: string): boolean;
  unauthorized(headers: IncomingHttpHeaders): ServedError;
  /** The problems for which the service refuses a request with a 400. */
  check(body: JsonObject, headers: IncomingHttpHeaders): string[];
  /** Refuses a field of the family that this server does not know. Such a refusal is not noted. */
  refusal?(body: JsonObject): ServedError | undefined;
  /** The pieces by which a cache works: tools, the system's text, then the messages, oldest first. */
  piecesOf(body: Json): string[];
  /** Texts of the last message of the user. */
  saidIn(body: JsonObject): string;
  errorOf(error: ServedError): Json;
  /** The ids of the n-th reply and the n-th call of the server. */
  ids: { reply(n: number): string; call(n: number): string };
  headersOf(reply: Reply, id: string): Readonly<Record<string, string>>;
  framesOf(reply: Reply, sending: Sending): Iterable<Frame>;
  /** An error within a stream. */
  errorFrame(error: Json): string;
  /** How it plays the replies of a script. */
  voice: Voice<Reply>;
}

/** How a dialect plays the replies of a script. */
export interface Voice<Reply> {
  say(text: string, usage: NonNullable<ScriptedReply['usage']>): Reply;
  call(tool: string, args: Json): Reply;
  refuse(message: string): Reply;
  /** The status by which it says that it is overloaded. */
  overloaded: number;
  /** The number of results of calls in the present request. */
  resultsIn(body: JsonObject): number;
}

/** One reply as it is sent. */
export interface Sending {
  id: string;
  model: string;
  /** The body of the request that is answered. */
  body: JsonObject;
  nextCallId(): string;
}

/** A part of a reply that is sent at once. */
export interface Frame {
  text: string;
  /** Whether the receiver pays for it. */
  paid: boolean;
}

const PIECE = 24;
/** The maximum number of pieces. A very long text has longer pieces. */
const MOST_PIECES = 2000;

/** The pieces in which a model sends a text. */
export function inPieces(text = ''): string[] {
  const size = Math.max(PIECE, Math.ceil(text.length / MOST_PIECES));
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
}

/** A text that continues forever. Each piece is more than a connection takes at once, so that others get a turn. */
export function* endlessPieces(text: string): Generator<string> {
  yield* inPieces(text);
  while (true) yield 'and so on, '.repeat(3000);
}
