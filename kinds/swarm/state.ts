import type { ArtifactRef } from '../../plan/run/artifact';
import type { Keeps } from '../../plan/steps/keeps';
import type { Json } from '../../plan/text/json';
import type { CandidateView } from './rules/turns';
import type { SwarmView } from './view';

/** The state that a run keeps of swarms. */

/** The position of a swarm in its rounds. */
export interface SwarmPosition {
  /** The turn of its parts: each round of diagnoses and each fix has another. */
  turn: number;
  round: number;
  /** Which diagnosis of the round is applied, from 0. Absent: all agents diagnose. */
  nth?: number;
  /** Findings and attempts so far. */
  record: ArtifactRef;
  /** In brief: the issue, the round's findings, and the attempts. */
  issue: string;
  candidates: CandidateView[];
  soFar: Json[];
  /** How the check was before any fix. */
  before?: CheckEnd;
  /** The worktree's commit before the fix that is applied. Absent if there is no worktree, or no fix has begun. */
  commit?: string;
}

export interface CheckEnd {
  /** The failure. Absent: it passed. */
  failed?: string;
  /** The report of its tests, if they are read. */
  report?: ArtifactRef;
}

/** The end of a solved one. */
export interface SwarmEnd {
  outcome: 'solved';
  by?: string;
  solution?: string;
}

export interface SwarmKept {
  /** The last turn that was begun. */
  turn?: number;
  /** The round or fix in progress: a further try continues there. */
  next?: SwarmPosition;
  view?: SwarmView;
  /** How it ended, for its caller. */
  end?: SwarmEnd;
}

export const SWARM_KEEPS: Keeps<SwarmKept, SwarmView> = { lastTurn: ({ turn }) => turn, shown: ({ view }) => view, end: ({ end }) => end };
