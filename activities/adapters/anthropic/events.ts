import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/json';
import { type Answered, type Piece, piecesOf } from '../model/answer';
import { notAnApi, type Refusal } from '../model/api-failure';
import { refusalOf } from './failures';

/**
 * What an answer with a good status says, in order: events of the stream, or the error that stands among them. A service that does not
 * stream its replies says the same in one piece, which is told as events too. Fails as `piecesOf`, and for a piece that is no JSON.
 */
export type Told = { kind: 'event'; event: JsonObject } | { kind: 'refused'; refusal: Refusal };

export async function* toldBy(answered: Answered): AsyncGenerator<Told> {
  for await (const piece of piecesOf(answered)) {
    // Some gateways end any stream so.
    if (piece.text.trim() === '[DONE]') return;
    const said = jsonOf(piece);
    if (said['type'] === 'error') yield { kind: 'refused', refusal: refusalOf({ body: said, headers: answered.response.headers }) };
    else if (!piece.whole) yield { kind: 'event', event: said };
    else if (!Array.isArray(said['content'])) throw notAnApi(answered.endpoint, 'other');
    else for (const event of eventsOf(said, said['content'])) yield { kind: 'event', event };
  }
}

function jsonOf({ text }: Piece): JsonObject {
  const said: Json = JSON.parse(text);
  if (isJsonObject(said)) return said;
  throw new SyntaxError('no object');
}

function eventsOf(message: JsonObject, content: readonly Json[]): JsonObject[] {
  return [
    { type: 'message_start', message },
    ...content.flatMap((block, index): JsonObject[] => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: field(message, 'stop_reason') ?? null }, usage: field(message, 'usage') ?? null },
  ];
}
