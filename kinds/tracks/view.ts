import { defined } from '../../plan/defined';
import type { StepState } from '../../plan/run/step-state';
import { type KindView, type ShownCell, type ShownCrossing, sentence } from '../../plan/steps/kind-view';
import { otherSide, TRACK_SIDES, type TrackSide } from './rules/alignment';

/** Two tracks as people see them: next to each other, with the points at which they are aligned. */
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
const PHASE_STATES = ['pending', 'running', 'provisional', 'adjusting', 'done', 'blocked'] as const;
export type PhaseState = (typeof PHASE_STATES)[number];

export interface PhaseView {
  id: string;
  state: PhaseState;
}

const SYNC_STATES = ['open', 'checking', 'misaligned', 'aligned', 'skipped'] as const;
export type SyncState = (typeof SYNC_STATES)[number];

export interface SyncView {
  id: string;
  name?: string;
  /** The phases that it comes after. */
  after: Record<TrackSide, string>;
  state: SyncState;
  /** Checks so far. */
  attempts: number;
  rounds: number;
  /** Who checks. */
  by: string;
  /** Tracks that are there and wait for the other. */
  arrived: TrackSide[];
  /** Until when the first waits before it continues, ISO 8601. */
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

/** A picture of two tracks: rows of phases side by side, and the points between them. */
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

export const TRACKS_VIEW: KindView<'tracks', TracksView> = {
  key: 'tracks',
  awaits: awaitedOfTracks,
  facts: (tracks) => [describeSync(tracks)],
  news(tracks) {
    const awaited = awaitedOfTracks(tracks);
    const isNews = awaited !== undefined || tracks.linear || tracks.sync.some(({ attempts }) => attempts > 0);
    return isNews ? sentence(describeSync(tracks), awaited) : undefined;
  },
  columns: (tracks) => ({
    heads: [`a ${tracks.a.agent}`, `b ${tracks.b.agent}`],
    rows: rowsOfTracks(tracks).map((row) =>
      row.kind === 'sync'
        ? shownPoint(tracks, row.point)
        : { kind: 'sides', ...defined({ left: row.a && shownPhase(row.a), right: row.b && shownPhase(row.b) }) },
    ),
  }),
};

const PHASE_WORDS: Readonly<Partial<Record<PhaseState, string>>> = { provisional: 'provisional', adjusting: 'adjusts', blocked: 'blocked' };

function shownPhase({ id, state }: PhaseView): ShownCell {
  const word = PHASE_WORDS[state];
  return { state: STEP_STATE_OF_PHASE[state], words: word === undefined ? id : `${id} (${word})` };
}

function shownPoint(view: TracksView, point: SyncView): ShownCrossing {
  const { id, name, state, arrived, until } = point;
  const [first, other] = arrived;
  const isWaiting = first !== undefined && other === undefined;
  return {
    ...{ kind: 'across', state: STEP_STATE_OF_SYNC[state], name: id },
    words: `${describePoint(point)}${isWaiting ? `, ${whatFirstDoes(view[first])}` : ''}`,
    ...defined({ title: name, until: isWaiting ? until : undefined }),
  };
}

/** What the track does that is there first. */
function whatFirstDoes({ agent, phases }: TrackView): string {
  return `${agent} ${phases.some(({ state }) => state === 'provisional') ? 'goes ahead' : 'waits'}`;
}
