import { createParser } from 'eventsource-parser';
import { ThermidorFailure } from '../../../plan/run/failure';
import { isJsonObject, type JsonObject } from '../../../plan/text/json';
import { notAnApi, serviceName, unreadableReply } from './api-failure';
import type { Endpoint } from './endpoint';

/**
 * The pieces of an answer with a good status, as they come: the data of each event of a stream, or the whole answer of a server that does
 * not stream. The same for all families, which know what a piece means.
 *
 * Fails with `model.bad-request` if no API answers; with `output.too-large` for a piece beyond `PIECE_CHARACTERS`, however it is cut into
 * lines, and for an answer beyond `ANSWER_BYTES`; with an error without a code for one that has not ended after `ANSWER_MS`, and with the
 * connection's own error.
 */
export interface ResponseStream {
  endpoint: Endpoint;
  response: Response;
  /** Called with whatever comes, comments that only keep the connection among it. */
  alive(): void;
}

export interface Piece {
  /** JSON, as it should be. */
  text: string;
  /** This is the whole answer. */
  whole: boolean;
}

export const PIECE_CHARACTERS = 8 * 1024 * 1024;
/** More than the longest reply has in the smallest pieces. A server may endlessly send data that contains no piece. */
export const ANSWER_BYTES = 256 * 1024 * 1024;
/** More than a slow model of one's own needs. Signs of life alone would keep a request forever. */
export const ANSWER_MS = 6 * 60 * 60 * 1000;

export async function* responsePieces(answered: ResponseStream): AsyncGenerator<Piece> {
  const type = answered.response.headers.get('content-type') ?? '';
  if (/event-stream/i.test(type)) yield* streamed(answered, texts(answered));
  else yield* unmarked(answered);
}

async function* texts({ endpoint, response, alive }: ResponseStream): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const beganMs = Date.now();
  let sizeBytes = 0;
  for await (const bytes of response.body ?? []) {
    alive();
    sizeBytes += bytes.byteLength;
    if (sizeBytes > ANSWER_BYTES) throw tooLong(endpoint, `an answer of more than ${ANSWER_BYTES} bytes`);
    if (Date.now() - beganMs > ANSWER_MS) throw new Error(`the reply did not end within ${ANSWER_MS} ms`);
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder.decode();
}

async function* streamed({ endpoint }: ResponseStream, pieces: AsyncIterable<string>): AsyncGenerator<Piece> {
  const events: string[] = [];
  let tooLarge = false;
  const parser = createParser({
    onEvent: ({ data }) => void events.push(data),
    onError: ({ type }) => {
      tooLarge ||= type === 'max-buffer-size-exceeded';
    },
    maxBufferSize: PIECE_CHARACTERS,
  });
  for await (const text of pieces) {
    parser.feed(text);
    for (const data of events.splice(0)) yield { text: data, whole: false };
    if (tooLarge) throw tooLong(endpoint, LONG_PIECE);
  }
  // The last event of a server that does not end its lines.
  parser.feed('\n\n');
  for (const data of events.splice(0)) yield { text: data, whole: false };
}

/** Handles a stream without its content type, a document, or somebody else's page. */
async function* unmarked(answered: ResponseStream): AsyncGenerator<Piece> {
  let text = '';
  for await (const more of texts(answered)) {
    text += more;
    if (text.length > PIECE_CHARACTERS) throw tooLong(answered.endpoint, LONG_PIECE);
  }
  if (/^\s*(data|event|:)/.test(text)) return yield* streamed(answered, only(text));
  if (!/^\s*\{/.test(text)) throw notAnApi(answered.endpoint, /^\s*</.test(text) ? 'html' : 'other');
  yield { text, whole: true };
}

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}

/** Parses a piece; fails with `model.api-error` if it is no JSON object: the reply came, and cannot be read. */
export function readPiece({ endpoint }: ResponseStream, { text }: Piece): JsonObject | ThermidorFailure {
  try {
    const said: unknown = JSON.parse(text);
    if (isJsonObject(said)) return said;
  } catch {
    // Quoted below.
  }
  return unreadableReply(endpoint, text);
}

const LONG_PIECE = `a piece of more than ${PIECE_CHARACTERS} characters`;

function tooLong(endpoint: Endpoint, what: string): ThermidorFailure {
  return new ThermidorFailure('output.too-large', `${serviceName(endpoint)} sent ${what}, which is not a reply`, {
    adapter: endpoint.name,
  });
}
