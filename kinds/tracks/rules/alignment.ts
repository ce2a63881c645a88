import type { AnswerSchema } from '../../../plan/patterns/answer-schema';
import { field, isJsonObject, type Json } from '../../../plan/text/json';
import { beginning } from '../../../plan/text/shortened';

/**
 * Whether two tracks that have arrived at a sync point are aligned, and who adjusts if they are not (docs/patterns.md, CP-9).
 *
 * Invariants: 1. tracks are aligned only if the check says `ALIGNED`, literally; 2. if it does not say who adjusts, both do.
 */
export const TRACK_SIDES = ['a', 'b'] as const;
export type TrackSide = (typeof TRACK_SIDES)[number];

export function otherSide(side: TrackSide): TrackSide {
  return side === 'a' ? 'b' : 'a';
}

const ALIGNMENT_STATUSES = ['ALIGNED', 'MISALIGNED'] as const;
export type AlignmentStatus = (typeof ALIGNMENT_STATUSES)[number];

export interface AlignGiven {
  sync: string;
  /** The number of the check at the point, from 1. */
  attempt: number;
}

/** The answer of the agent that checks. */
export const ALIGNMENT_SCHEMA = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { enum: ALIGNMENT_STATUSES },
    ...{ trackA_state: {}, trackB_state: {} },
    conflicts: { type: 'array', maxItems: 100 },
    adjust: { enum: ['a', 'b', 'both'], description: 'if the tracks are not aligned: who adjusts' },
  },
} as const satisfies AnswerSchema;

/** The document that the check has answered with. */
export const ALIGNMENT_ANSWER = 'answer';

export type Alignment = {
  sync_id: string;
  attempt: number;
  status: AlignmentStatus;
  /** Who adjusts; nobody if they are aligned. */
  adjust: TrackSide[];
  trackA_state: Json;
  trackB_state: Json;
  conflicts: Json[];
};

/** The values for control and the journal: long texts and lists are cut. */
export type AlignmentValues = Omit<Alignment, 'sync_id' | 'attempt'>;

const MOST_CONFLICTS = 20;
const MOST_CHARACTERS = 500;

export function alignTracks({ sync, attempt }: AlignGiven, documents: Readonly<Record<string, Json>>): Alignment {
  const answer = documents[ALIGNMENT_ANSWER] ?? null;
  const isAligned = field(answer, 'status') === 'ALIGNED';
  const conflicts = field(answer, 'conflicts');
  return {
    ...{ sync_id: sync, attempt, status: isAligned ? 'ALIGNED' : 'MISALIGNED' },
    adjust: isAligned ? [] : adjustersOf(field(answer, 'adjust')),
    trackA_state: field(answer, 'trackA_state') ?? null,
    trackB_state: field(answer, 'trackB_state') ?? null,
    conflicts: Array.isArray(conflicts) ? conflicts : [],
  };
}

export function valuesOfAlignment({ status, adjust, trackA_state, trackB_state, conflicts }: Alignment): AlignmentValues {
  const cut = conflicts.slice(0, MOST_CONFLICTS).map(inBrief);
  const more = conflicts.length - cut.length;
  return {
    ...{ status, adjust, trackA_state: inBrief(trackA_state), trackB_state: inBrief(trackB_state) },
    conflicts: more > 0 ? [...cut, `and ${more} more`] : cut,
  };
}

function adjustersOf(word: Json | undefined): TrackSide[] {
  const named = TRACK_SIDES.find((side) => side === word);
  return named === undefined ? [...TRACK_SIDES] : [named];
}

/** A longer value becomes its text, cut. */
function inBrief(value: Json): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= MOST_CHARACTERS) return value;
  const said = isJsonObject(value) ? field(value, 'description') : undefined;
  return `${beginning(typeof said === 'string' ? said : text, MOST_CHARACTERS)}…`;
}
