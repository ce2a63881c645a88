import { isJsonObject } from '../text/json';

/**
 * Part of a query's answer that is too long for one: Temporal takes none over 2 MiB. A caller that adds `{"part": {"from": 0}}` to its
 * argument gets a short answer unchanged and a long one in parts, and asks again from where the last part ended.
 */
export interface AnswerPart {
  /** A part of the answer's JSON. */
  part: string;
  /** The length of the whole, in characters. */
  total: number;
  /** Parts with different stamps belong to different answers: the run has continued between them. */
  stamp: string;
}

/** The limit of an answer, or a part. Each character takes up to three bytes. */
export const ANSWER_CHARACTERS = 400_000;

export function isAnswerPart(answer: unknown): answer is AnswerPart {
  if (!isJsonObject(answer)) return false;
  const { part, total, stamp } = answer;
  return typeof part === 'string' && typeof total === 'number' && typeof stamp === 'string';
}
