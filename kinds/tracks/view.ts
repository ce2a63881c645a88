import { otherSide, TRACK_SIDES, type TrackSide } from './rules/alignment';

/** Two tracks as people see them: beside each other, with the points at which they are aligned. */
export interface TracksView extends Record<TrackSide, TrackView> {
  /** b follows a, because they could not be aligned. */
  linear?: true;
  /** In order. */
  sync: SyncView[];
}

export interface TrackView {
  agent: string;
  /** In order. */
  phases: PhaseView[];
}

/** `provisional`: begun before the point in front of it was aligned. `blocked`: it has failed for good. */
export const PHASE_STATES = ['pending', 'running', 'provisional', 'adjusting', 'done', 'blocked'] as const;
export type PhaseState = (typeof PHASE_STATES)[number];

export interface PhaseView {
  id: string;
  state: PhaseState;
}

export const SYNC_STATES = ['open', 'checking', 'misaligned', 'aligned', 'skipped'] as const;
export type SyncState = (typeof SYNC_STATES)[number];

export interface SyncView {
  id: string;
  name?: string;
  /** The phases that it comes after. */
  after: Record<TrackSide, string>;
  state: SyncState;
  /** Checks so far, of at most so many. */
  attempts: number;
  rounds: number;
  /** Who checks. */
  by: string;
  /** Tracks that are there and wait for the other. */
  arrived: TrackSide[];
  /** Until when the first waits before it goes on, ISO 8601. */
  until?: string;
}

/** `not aligned, check 1 of 2` */
export function describePoint({ state, attempts, rounds, by }: SyncView): string {
  if (state === 'checking') return `${by} checks`;
  if (state === 'misaligned') return `not aligned, check ${attempts} of ${rounds}`;
  return state === 'aligned' && attempts > 1 ? `aligned, after ${attempts} checks` : state;
}

/** Whom two tracks wait for, in words: `the alignment check by lead at contract`. */
export function awaitedOfTracks(view: TracksView): string | undefined {
  const blocked = TRACK_SIDES.find((side) => view[side].phases.some(({ state }) => state === 'blocked'));
  if (blocked) return awaitedBeforePause(view, blocked);
  const point = view.sync.find(({ state }) => state === 'checking') ?? view.sync.find(({ arrived }) => arrived.length > 0);
  if (!point || view.linear) return undefined;
  if (point.state === 'checking') return `the alignment check by ${point.by} at ${point.id}`;
  const [first] = point.arrived;
  if (first === undefined || point.arrived.length > 1) return undefined;
  const slow = otherSide(first);
  return `${view[slow].agent}, to bring ${point.after[slow]} to ${point.id}, where ${view[first].agent} has arrived`;
}

/** The track that is not blocked ends the phase that it is in. */
function awaitedBeforePause(view: TracksView, blocked: TrackSide): string | undefined {
  const { agent, phases } = view[otherSide(blocked)];
  const last = phases.find(({ state }) => state === 'running' || state === 'provisional' || state === 'adjusting');
  return last && `${agent}, to end ${last.id}: track ${blocked} is blocked`;
}

/** `2 of 3 points aligned` */
export function describeSync({ sync, linear }: TracksView): string {
  const aligned = sync.filter(({ state }) => state === 'aligned').length;
  return `${aligned} of ${sync.length} ${sync.length === 1 ? 'point' : 'points'} aligned${linear ? ', b follows a' : ''}`;
}
