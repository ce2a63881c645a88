import { isJsonObject } from '../text/json';

/**
 * Part of a query's answer that is too long for one: Temporal takes none over 2 MiB. Who asks with `{"part": {"from": 0}}` beside
 * the rest of the argument gets a short answer as it is and a long one so, and asks again, from where it has come to.
 */
export interface AnswerPart {
  /** Some of the answer's JSON. */
  part: string;
  /** Of all of it, in characters. */
  total: number;
  /** Parts with different stamps are of different answers: the run has gone on between them. */
  stamp: string;
}

/** Of an answer, or a part. Each takes up to three bytes. */
export const ANSWER_CHARACTERS = 400_000;

export function isAnswerPart(answer: unknown): answer is AnswerPart {
  if (!isJsonObject(answer)) return false;
  const { part, total, stamp } = answer;
  return typeof part === 'string' && typeof total === 'number' && typeof stamp === 'string';
}
