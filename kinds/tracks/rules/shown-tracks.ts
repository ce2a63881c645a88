import { defined } from '../../../plan/defined';
import type { StepState } from '../../../plan/run/status';
import type { PhaseState, PhaseView, SyncState, SyncView, TracksView } from '../view';
import { TRACK_SIDES, type TrackSide } from './alignment';

/** How phases and points are drawn wherever steps are. */
export const STEP_STATE_OF_PHASE: Readonly<Record<PhaseState, StepState>> = {
  pending: 'pending',
  running: 'running',
  provisional: 'running',
  adjusting: 'running',
  done: 'done',
  blocked: 'failed',
};
export const STEP_STATE_OF_SYNC: Readonly<Record<SyncState, StepState>> = {
  open: 'pending',
  checking: 'running',
  misaligned: 'running',
  aligned: 'done',
  skipped: 'skipped',
};

/** A picture of two tracks: rows of phases beside each other, and the points between them. */
export type TrackRow = { kind: 'phases'; a?: PhaseView; b?: PhaseView } | { kind: 'sync'; point: SyncView };

export function rowsOfTracks(view: TracksView): TrackRow[] {
  const rows: TrackRow[] = [];
  const next: Record<TrackSide, number> = { a: 0, b: 0 };
  const upTo = (ends: Record<TrackSide, number>): void => {
    while (TRACK_SIDES.some((side) => next[side] < ends[side])) {
      const [a, b] = TRACK_SIDES.map((side) => (next[side] < ends[side] ? view[side].phases[next[side]++] : undefined));
      rows.push({ kind: 'phases', ...defined({ a, b }) });
    }
  };
  const ends = (of: (side: TrackSide) => number): Record<TrackSide, number> => ({ a: of('a'), b: of('b') });
  for (const point of view.sync) {
    upTo(ends((side) => view[side].phases.findIndex(({ id }) => id === point.after[side]) + 1));
    rows.push({ kind: 'sync', point });
  }
  upTo(ends((side) => view[side].phases.length));
  return rows;
}
