import { ThermidorFailure } from '../../../plan/failure';
import type { Json } from '../../../plan/json';
import { type Answered, type Piece, piecesOf as partsOf, readPiece } from '../model/answer';
import { apiFailure, notAnApi } from '../model/api-failure';
import { refusalWithin } from './refusal';

/**
 * The JSON pieces of an answer with a good status, as they come. Ends with `DONE` where the server says that it is the end.
 *
 * Fails as `model/answer.ts`; with what an error among the pieces means; with `model.api-error` for a piece that is no JSON.
 */
export async function* piecesOf(answered: Answered, model: string): AsyncGenerator<Json | typeof DONE> {
  for await (const part of partsOf(answered)) {
    if (part.text.trim() === '[DONE]') return yield DONE;
    yield read(answered, model, part);
    if (part.whole) yield DONE;
  }
}

export const DONE = Symbol('[DONE]');

function read(answered: Answered, model: string, piece: Piece): Json {
  const { endpoint } = answered;
  const value = readPiece(answered, piece);
  if (value instanceof ThermidorFailure) throw value;
  const refusal = refusalWithin(value);
  if (refusal) throw apiFailure(endpoint, model, refusal);
  if (piece.whole && !Array.isArray(value['choices'])) throw notAnApi(endpoint, 'other');
  return value;
}
