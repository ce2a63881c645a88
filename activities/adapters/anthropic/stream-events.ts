import { ThermidorFailure } from '../../../plan/run/failure';
import { field, type Json, type JsonObject } from '../../../plan/text/json';
import { notAnApi } from '../model/api-failure';
import { type ResponseStream, readPiece, responsePieces } from '../model/response-stream';
import { type RequestFailure, refusalOf } from './api-errors';

/**
 * The events of an answer with a good status, in order: events of the stream, or an error among them. A service that does not stream its
 * replies sends one piece, which becomes events too. It ends at a piece that is not JSON. Fails as `responsePieces`.
 */
export type StreamEvent = { kind: 'event'; event: JsonObject } | RequestFailure;

export async function* readStreamEvent(answered: ResponseStream): AsyncGenerator<StreamEvent> {
  for await (const piece of responsePieces(answered)) {
    // Some gateways end every stream with this line.
    if (piece.text.trim() === '[DONE]') return;
    const said = readPiece(answered, piece);
    // If the reply is complete without it, only the connection failed.
    if (said instanceof ThermidorFailure) return yield { kind: 'lost', failure: said };
    if (said['type'] === 'error') yield { kind: 'refused', refusal: refusalOf({ body: said, headers: answered.response.headers }) };
    else if (!piece.whole) yield { kind: 'event', event: said };
    else if (!Array.isArray(said['content'])) throw notAnApi(answered.endpoint, 'other');
    else for (const event of eventsOf(said, said['content'])) yield { kind: 'event', event };
  }
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
