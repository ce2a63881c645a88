import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { field, isJsonObject, type JsonObject } from '../../../plan/text/json';
import type { Dialect } from './dialect';
import type { ReplyBase, Served } from './served';

/** A request for a reply. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: JsonObject;
  idempotencyKey: string;
  /** The request's number on the server, from 1; requests that the server itself refuses are not counted. */
  number: number;
  /** One more than the number of replies in the request. */
  turn: number;
  /** Texts of the last message of the user. */
  said: string;
  /** Set if the other side has closed the connection. */
  gone?: true;
}

/** The answer to a request; undefined if the test has no reply. */
export type Serve<Reply> = (request: Received) => Served<Reply> | undefined | Promise<Served<Reply>>;

/** @param text the body of the request. Anything but a JSON object becomes an empty one, which every dialect refuses */
export function receivedOf<Reply extends ReplyBase>({ headers }: IncomingMessage, text: string, { saidIn }: Dialect<Reply>): Received {
  const body = readObject(text);
  const messages = [field(body, 'messages') ?? []].flat();
  return {
    ...{ headers, body, number: 0 },
    idempotencyKey: decodeURI(String(headers['idempotency-key'] ?? '').split(';')[0] ?? ''),
    turn: messages.filter((message) => field(message, 'role') === 'assistant').length + 1,
    said: saidIn(body),
  };
}

function readObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
