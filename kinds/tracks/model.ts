import type { Action } from '../../plan/steps/action';
import type { StepBase } from '../../plan/steps/step-base';
import type { TrackSide } from './rules/alignment';

/**
 * Two agents work in parallel, each through phases of its own, and are aligned at points (docs/patterns.md, CP-9). `parts` are the steps it
 * runs in turns: `<id>_<phase>` for each phase, `<id>_<point>` for the check at each point, and `<id>_integration`. A repeated phase has
 * another turn.
 */
export interface TracksOf<S> extends StepBase, Record<TrackSide, TrackSpec> {
  kind: 'tracks';
  parts: S[];
  /** In order: each comes after later phases of both tracks than the one before. */
  sync: SyncSpec[];
  ahead: Ahead;
  /** Actions if they cannot be aligned. Absent: b follows a. */
  onMisaligned?: Action[];
  /** Actions if a track cannot continue. Absent: those of `onError`. */
  onBlocked?: Action[];
  /** The last part tests both together. */
  integrates?: true;
}

export interface TrackSpec {
  agent: string;
  /** Ids, in order. */
  phases: string[];
}

export interface SyncSpec {
  id: string;
  name?: string;
  /** The phase of each track that it comes after. */
  after: Record<TrackSide, string>;
  /** Who checks. */
  by: string;
  /** Checks at most. */
  rounds: number;
  /** How long the first to arrive waits before it continues. */
  waitMs: number;
}

/** What a track does that has waited long enough for the other: it begins its next phase, provisionally, or keeps waiting. */
export const AHEAD = ['one_phase', 'none'] as const;
export type Ahead = (typeof AHEAD)[number];

export const INTEGRATION_PART = 'integration';

export const DEFAULT_SYNC_ROUNDS = 2;
export const DEFAULT_WAIT_MS = 5 * 60_000;
