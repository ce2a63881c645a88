import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { WorkOf } from '../../compiler/shape/source';
import type { SourceOf } from '../../compiler/shape/source-of';
import type { PHASE_ROWS, SYNC_POINT_ROWS } from './keys';
import type { TrackSide } from './rules/alignment';

export type TracksSource = WorkOf<'tracks'>;
export type PhaseSource = SourceOf<typeof PHASE_ROWS> & Named;
export type SyncSource = SourceOf<typeof SYNC_POINT_ROWS> & Named;

interface Named {
  id: Located<string>;
}

/** The phases of a track that have an id. */
export function phasesOf(work: TracksSource, side: TrackSide): PhaseSource[] {
  const { phases = [] } = work[side] ?? {};
  return phases.flatMap(({ id, ...more }) => (id ? [{ id, ...more }] : []));
}

/** The points that have an id. */
export function pointsOf({ sync = [] }: TracksSource): SyncSource[] {
  return sync.flatMap(({ id, ...more }) => (id ? [{ id, ...more }] : []));
}
