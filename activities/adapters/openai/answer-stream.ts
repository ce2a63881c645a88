import { ThermidorFailure } from '../../../plan/run/failure';
import type { Json } from '../../../plan/text/json';
import { apiFailure, notAnApi } from '../model/api-failure';
import { type Piece, responsePieces as partsOf, type ResponseStream, readPiece } from '../model/response-stream';
import { refusalWithin } from './refusal';

/**
 * The JSON pieces of an answer with a good status, as they come. Ends with `DONE` if the server marks the end.
 *
 * Fails as `model/response-stream.ts`; with the failure for an error among the pieces; with `model.api-error` for a piece that is not JSON.
 */
export async function* completionPieces(answered: ResponseStream, model: string): AsyncGenerator<Json | typeof DONE> {
  for await (const part of partsOf(answered)) {
    if (part.text.trim() === '[DONE]') return yield DONE;
    yield read(answered, model, part);
    if (part.whole) yield DONE;
  }
}

export const DONE = Symbol('[DONE]');

function read(answered: ResponseStream, model: string, piece: Piece): Json {
  const { endpoint } = answered;
  const value = readPiece(answered, piece);
  if (value instanceof ThermidorFailure) throw value;
  const refusal = refusalWithin(value);
  if (refusal) throw apiFailure(endpoint, model, refusal);
  if (piece.whole && !Array.isArray(value['choices'])) throw notAnApi(endpoint, 'other');
  return value;
}
