import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { Keeps } from '../../plan/steps/keeps';
import { describeVoters, type VoteView } from './view';

/** The state that a run keeps of votes. */

/** The position of a step in its rounds. */
export interface VotePosition {
  /** The turn of its parts. Every round has a different turn. */
  turn: number;
  /** Counts from 1. */
  round: number;
  /** The revised proposal. Absent: the author's own. */
  revised?: ArtifactRef;
  /** Reports of the rounds before, in order. */
  earlier: ArtifactRef[];
}

/** The view, with moments in milliseconds since the epoch. */
export interface VoteState extends Omit<VoteView, 'deadline'> {
  deadlineMs?: number;
}

function voteView({ deadlineMs, ...vote }: VoteState): VoteView {
  return { ...vote, ...(deadlineMs === undefined || vote.outcome !== undefined ? {} : { deadline: new Date(deadlineMs).toISOString() }) };
}

export interface ConsensusKept {
  /** The last turn that was begun. */
  turn?: number;
  /** The round of the step in which turns began to count. */
  began?: number;
  /** The round in progress: a further try continues there. */
  next?: VotePosition;
  /** The last vote. */
  vote?: VoteState;
}

export const CONSENSUS_KEEPS: Keeps<ConsensusKept, VoteView> = {
  lastTurn: ({ turn }) => turn,
  shown: ({ vote }) => vote && voteView(vote),
  vote: ({ turn, vote }) =>
    vote && {
      ...defined({ turn }),
      ...{ round: vote.round, rounds: vote.rounds, isOver: vote.outcome !== undefined },
      ...{ voters: vote.voters.map(({ name }) => name), votes: describeVoters(vote) },
    },
};
