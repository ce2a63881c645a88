import type { ArtifactRef } from '../../plan/run/artifact';
import type { VoteView } from './view';

/** What a run keeps of votes. */

/** Where a step is in its rounds. */
export interface VotePosition {
  /** Of its parts: each round has another. */
  turn: number;
  /** Counts from 1. */
  round: number;
  /** The revised proposal. Absent: the author's own. */
  revised?: ArtifactRef;
  /** Reports of the rounds before, in order. */
  earlier: ArtifactRef[];
}

/** As it is shown, with moments in milliseconds since the epoch. */
export interface VoteState extends Omit<VoteView, 'deadline'> {
  deadlineMs?: number;
}

export function voteView({ deadlineMs, ...vote }: VoteState): VoteView {
  return { ...vote, ...(deadlineMs === undefined || vote.outcome !== undefined ? {} : { deadline: new Date(deadlineMs).toISOString() }) };
}
