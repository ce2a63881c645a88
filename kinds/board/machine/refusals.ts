import type { BoardAnswer } from '../../../plan/board/request';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { Json } from '../../../plan/text/json';

/** Why a board refuses something. Tools, people and programs see these words. */
export const REFUSALS = [
  'already_claimed',
  'blocked',
  'board_full',
  'board_over',
  'cycle',
  'done',
  'draining',
  'dropped',
  'elsewhere',
  'expired',
  'held',
  'name_taken',
  'no_free_slot',
  'not_lead',
  'not_working',
  'not_yours',
  'occupied',
  'pending',
  'shut_down',
  'too_large',
  'undelivered',
  'unfit',
  'unknown_agent',
  'unknown_blocker',
  'unknown_member',
  'unknown_role',
  'unknown_task',
  'working',
  'wrong_role',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** `hint`: what to do about it. */
export function refuse(refused: Refusal, hint: string, details: Record<string, Json> = {}): BoardAnswer {
  return { said: { refused, ...details, hint }, refused: true };
}

/** Where a text is in the store, as answers say it. */
export function refSaid({ sha256, sizeBytes, mediaType }: ArtifactRef): Json {
  return { sha256, sizeBytes, mediaType };
}

export function accept(said: Json): BoardAnswer {
  return { said };
}
