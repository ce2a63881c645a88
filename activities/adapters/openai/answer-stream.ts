import { isJsonObject, type Json } from '../../../plan/json';
import { type Answered, type Piece, piecesOf as partsOf } from '../model/answer';
import { apiFailure, notAnApi } from '../model/api-failure';
import { parsed, refusalWithin } from './refusal';

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

function read({ endpoint }: Answered, model: string, { text, whole }: Piece): Json {
  const value = parsed(text);
  if (!isJsonObject(value)) {
    throw whole ? notAnApi(endpoint, 'other') : apiFailure(endpoint, model, { says: `a piece of the reply is no JSON: ${text}` });
  }
  const refusal = refusalWithin(value);
  if (refusal) throw apiFailure(endpoint, model, refusal);
  if (whole && !Array.isArray(value['choices'])) throw notAnApi(endpoint, 'other');
  return value;
}
