import type { ArtifactRef } from '../../plan/run/artifact';
import type { Keeps } from '../../plan/steps/keeps';
import type { Json } from '../../plan/text/json';
import type { CandidateView } from './rules/turns';
import type { SwarmView } from './view';

/** What a run keeps of swarms. */

/** Where one is in its rounds. */
export interface SwarmPosition {
  /** Of its parts: each round of diagnoses and each fix has another. */
  turn: number;
  round: number;
  /** Which diagnosis of the round is applied, from 0. Absent: all diagnose. */
  nth?: number;
  /** What was found and tried so far. */
  record: ArtifactRef;
  /** In brief: the issue, what the round has found, and what was tried. */
  issue: string;
  candidates: CandidateView[];
  soFar: Json[];
  /** How the check was before any fix. */
  before?: CheckEnd;
  /** What the worktree was at before the fix that is applied. Absent where there is no worktree, or no fix has begun. */
  commit?: string;
}

export interface CheckEnd {
  /** The failure. Absent: it passed. */
  failed?: string;
  /** The report of its tests, if they are read. */
  report?: ArtifactRef;
}

/** Of one that is solved. */
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

export const SWARM_KEEPS: Keeps<SwarmKept, SwarmView> = { shown: ({ view }) => view, end: ({ end }) => end };
