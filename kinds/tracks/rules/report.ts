import type { Json } from '../../../plan/text/json';
import { TRACK_SIDES, type TrackSide } from './alignment';

/**
 * The result of two tracks: everything that they have delivered, and how each sync point went (docs/patterns.md, CP-9).
 *
 * Invariant: a delivery is included unchanged from the store; a phase without one is null.
 */
export interface TracksReportGiven {
  /** `linear`: the tracks could not be aligned, and b followed a. */
  status: TracksStatus;
  /** Ids of phases, in order. */
  phases: Record<TrackSide, string[]>;
  sync: SyncResult[];
}

const TRACKS_STATUSES = ['aligned', 'linear'] as const;
export type TracksStatus = (typeof TRACKS_STATUSES)[number];

/** `skipped`: it was not checked, because b follows a. */
export type SyncResult = { id: string; name?: string; status: 'ALIGNED' | 'MISALIGNED' | 'SKIPPED'; attempts: number };

export type TracksReport = {
  status: TracksStatus;
  a: Record<string, Json>;
  b: Record<string, Json>;
  sync: SyncResult[];
};

/** @param documents what each phase has delivered, by the phase's id */
export function reportTracks({ status, phases, sync }: TracksReportGiven, documents: Readonly<Record<string, Json>>): TracksReport {
  const [a = {}, b = {}] = TRACK_SIDES.map((side) => Object.fromEntries(phases[side].map((id) => [id, documents[id] ?? null])));
  return { status, a, b, sync };
}
