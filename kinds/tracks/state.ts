import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { FailureCode } from '../../plan/run/failure';
import type { ControlOf } from '../../plan/steps/control';
import type { Keeps } from '../../plan/steps/keeps';
import type { SyncSpec, TrackSpec } from './model';
import { type AlignmentValues, otherSide, TRACK_SIDES, type TrackSide } from './rules/alignment';
import type { PhaseState, SyncState, SyncView, TracksView, TrackView } from './view';

/**
 * The state of two tracks, as a try keeps it: plain data, and its transitions.
 *
 * Invariants: 1. a point is checked once both tracks are there for that check; 2. provisional work is delivered only once its point is
 * aligned; 3. once the tracks are over no phase begins.
 */
export interface TracksKept {
  tracks?: TracksState;
  /** By sync point: in how many tries all of its checks were used up. */
  usedUp?: Record<string, number>;
}

export interface TracksState {
  /** Begun phases by id. */
  phases: Record<string, PhaseRecord>;
  /** In order. */
  points: PointRecord[];
  over?: TracksOver;
  /** Both are done, and nothing but their integration follows. */
  ended?: true;
  linear?: true;
}

export interface PhaseRecord {
  state: PhaseState;
  turn: number;
  delivered?: ArtifactRef;
}

export interface PointRecord {
  /** The check for which each track is there, from 1. */
  arrived: Record<TrackSide, number>;
  /** The findings of each check. */
  verdicts: Pick<AlignmentValues, 'status' | 'adjust'>[];
  checking?: true;
  /** The last check, in full. */
  alignment?: ArtifactRef;
  /** Until when the first waits. */
  untilMs?: number;
}

/** Why no further phase begins: one has failed for good, a point could not be aligned, or could not be checked. */
export type TracksOver =
  | { kind: 'blocked'; side: TrackSide; phase: string; code: FailureCode; message: string }
  | { kind: 'misaligned'; point: number }
  | { kind: 'unchecked' };

export function newTracks(points: number): TracksState {
  return { phases: {}, points: Array.from({ length: points }, () => ({ arrived: { a: 0, b: 0 }, verdicts: [] })) };
}

/** What a track that waits at a point should do. Undefined: keep waiting. */
export type PointNews = { kind: 'aligned' } | { kind: 'adjust'; sides: TrackSide[] } | { kind: 'misaligned' } | { kind: 'pause' };

export function newsAt({ points, over }: TracksState, k: number, attempt: number): PointNews | undefined {
  const verdict = points[k]?.verdicts[attempt - 1];
  if (verdict?.status === 'ALIGNED') return { kind: 'aligned' };
  if (over) return { kind: over.kind === 'misaligned' ? 'misaligned' : 'pause' };
  return verdict && { kind: 'adjust', sides: verdict.adjust };
}

export function areBothAt({ points }: TracksState, k: number, attempt: number): boolean {
  const { arrived } = points[k] ?? {};
  return arrived !== undefined && TRACK_SIDES.every((side) => arrived[side] >= attempt);
}

export function isAligned({ verdicts }: PointRecord): boolean {
  return verdicts.at(-1)?.status === 'ALIGNED';
}

type Step = Pick<ControlOf<'tracks'>, TrackSide | 'sync'>;

/** Phases of the other track on which a track may build: those up to the last aligned point, and all of a's if b follows it. */
export function visibleOf({ points, linear }: TracksState, step: Step, side: TrackSide): string[] {
  const other = otherSide(side);
  const { phases } = step[other];
  if (linear && side === 'b') return phases;
  const last = step.sync.findLast((_, k) => points[k] && isAligned(points[k]));
  return last ? phases.slice(0, phases.indexOf(last.after[other]) + 1) : [];
}

/** `isAtWork`: its step is. Where it has ended or is held, what was called off is shown as not begun, and nobody waits. */
function tracksView(step: Step, tracks: TracksState, isAtWork: boolean): TracksView {
  const { phases, points, linear, over } = tracks;
  const stateOf = (id: string): PhaseState => {
    const { state = 'pending' } = phases[id] ?? {};
    return isAtWork || state === 'done' || state === 'blocked' ? state : 'pending';
  };
  const trackOf = ({ agent, phases: ids }: TrackSpec): TrackView => ({ agent, phases: ids.map((id) => ({ id, state: stateOf(id) })) });
  const how = { isLinear: linear === true, isAwaited: isAtWork && over === undefined };
  return {
    ...{ a: trackOf(step.a), b: trackOf(step.b) },
    ...defined({ linear }),
    sync: step.sync.map((spec, k) => syncView(spec, points[k], how)),
  };
}

interface HowShown {
  isLinear: boolean;
  /** Its check may still come. */
  isAwaited: boolean;
}

function syncView({ id, name, after, by, rounds }: SyncSpec, point: PointRecord | undefined, how: HowShown): SyncView {
  const { arrived = { a: 0, b: 0 }, verdicts = [], untilMs } = point ?? {};
  const state = stateOfPoint(point, how);
  const isOpen = how.isAwaited && (state === 'open' || state === 'misaligned');
  const there = isOpen ? TRACK_SIDES.filter((side) => arrived[side] > verdicts.length) : [];
  const isWaiting = there.length === 1 && untilMs !== undefined;
  return {
    ...{ id, ...defined({ name }), after, state, attempts: verdicts.length, rounds, by, arrived: there },
    ...(isWaiting ? { until: new Date(untilMs).toISOString() } : {}),
  };
}

function stateOfPoint(point: PointRecord | undefined, { isLinear, isAwaited }: HowShown): SyncState {
  if (point && isAligned(point)) return 'aligned';
  if (isLinear) return 'skipped';
  if (point?.checking && isAwaited) return 'checking';
  return point && point.verdicts.length > 0 ? 'misaligned' : 'open';
}

export const TRACKS_KEEPS: Keeps<TracksKept, TracksView> = {
  shown: ({ tracks }, step, isAtWork) => (tracks && 'sync' in step ? tracksView(step, tracks, isAtWork) : undefined),
  // What both have delivered stays.
  isUnfinished: ({ tracks }) => tracks !== undefined && !tracks.ended,
};
