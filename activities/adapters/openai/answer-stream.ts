import { createParser } from 'eventsource-parser';
import { ThermidorFailure } from '../../../plan/failure';
import { isJsonObject, type Json } from '../../../plan/json';
import { apiFailure, notAnApi } from '../model/api-failure';
import type { Endpoint } from '../model/endpoint';
import { parsed, refusalWithin } from './refusal';

/**
 * The JSON pieces of an answer with a good status, as they come: of a stream of events, or the one piece of a server that does not
 * stream. Ends with `[DONE]`, or with the connection.
 *
 * Fails with `model.bad-request` where no API answers, with what an error among the pieces means, with `model.api-error` for a piece that is
 * no JSON; with whatever the connection fails with as it is. No single piece is read beyond `PIECE_LIMIT_CHARACTERS` (`output.too-large`).
 */
export const PIECE_LIMIT_CHARACTERS = 8 * 1024 * 1024;

export interface Answered {
  endpoint: Endpoint;
  model: string;
  response: Response;
  /** Called with whatever comes, comments that only keep the connection among it. */
  alive(): void;
}

/** Yields `'done'` where the server says that it is the end. */
export async function* piecesOf(answered: Answered): AsyncGenerator<Json | typeof DONE> {
  const type = answered.response.headers.get('content-type') ?? '';
  if (/event-stream/i.test(type)) yield* streamed(answered, texts(answered));
  else yield* whole(answered);
}

export const DONE = Symbol('[DONE]');

async function* texts({ response, alive }: Answered): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    alive();
    yield decoder.decode(bytes, { stream: true });
  }
}

async function* streamed(answered: Answered, pieces: AsyncIterable<string>): AsyncGenerator<Json | typeof DONE> {
  const events: string[] = [];
  let tooLarge = false;
  const parser = createParser({
    onEvent: ({ data }) => void events.push(data),
    onError: ({ type }) => {
      tooLarge ||= type === 'max-buffer-size-exceeded';
    },
    maxBufferSize: PIECE_LIMIT_CHARACTERS,
  });
  for await (const text of pieces) {
    parser.feed(text);
    for (const data of events.splice(0)) yield piece(answered, data);
    if (tooLarge) throw tooLong(answered);
  }
  // The last event of a server that does not end its lines.
  parser.reset({ consume: true });
  for (const data of events.splice(0)) yield piece(answered, data);
}

function piece({ endpoint, model }: Answered, data: string): Json | typeof DONE {
  if (data.trim() === '[DONE]') return DONE;
  const value = parsed(data);
  if (!isJsonObject(value)) throw apiFailure(endpoint, model, { says: `a piece of the reply is no JSON: ${data}` });
  const refusal = refusalWithin(value);
  if (refusal) throw apiFailure(endpoint, model, refusal);
  return value;
}

async function* whole(answered: Answered): AsyncGenerator<Json | typeof DONE> {
  let text = '';
  for await (const more of texts(answered)) {
    text += more;
    if (text.length > PIECE_LIMIT_CHARACTERS) throw tooLong(answered);
  }
  if (/^\s*(data|event|:)/.test(text)) return yield* streamed(answered, one(text));
  const value = parsed(text);
  if (value === undefined || !isJsonObject(value)) throw notAnApi(answered.endpoint, /^\s*</.test(text) ? 'html' : 'other');
  const refusal = refusalWithin(value);
  if (refusal) throw apiFailure(answered.endpoint, answered.model, refusal);
  if (!Array.isArray(value['choices'])) throw notAnApi(answered.endpoint, 'other');
  yield value;
  yield DONE;
}

async function* one(text: string): AsyncGenerator<string> {
  yield text;
}

function tooLong({ endpoint }: Answered): ThermidorFailure {
  return new ThermidorFailure(
    'output.too-large',
    `adapter "${endpoint.name}" answered with a piece of more than ${PIECE_LIMIT_CHARACTERS} characters`,
    {
      limitCharacters: PIECE_LIMIT_CHARACTERS,
    },
  );
}
