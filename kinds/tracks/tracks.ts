import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { FailureCode, ThermidorFailure } from '../../plan/run/failure';
import type { PartCall, PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { partOf } from '../../workflows/interpreter/patterns/parts';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { openKindState } from '../../workflows/interpreter/state/kind-state';
import { ALIGNMENT_DOCUMENT, deliverableOf } from './given';
import type { TrackSide } from './rules/alignment';
import { newTracks, type TracksKept, type TracksState, visibleOf } from './state';

/**
 * The shared state of two tracks' coroutines: the step and its state. A coroutine that changes the state wakes the others in the same
 * synchronous step.
 */
export interface Tracks {
  it: Interpreter;
  place: PlaceOf<'tracks'>;
}

export function keptOf({ it, place }: Tracks): TracksKept {
  return openKindState(it.run.record(place.path), 'tracks');
}

export function stateOf(tracks: Tracks): TracksState {
  const kept = keptOf(tracks);
  kept.tracks ??= newTracks(tracks.place.step.sync.length);
  return kept.tracks;
}

/** The waiters for news: each track, the code that watches over a phase begun ahead, and the checks. */
const WAITERS = ['a', 'b', 'a-ahead', 'b-ahead', 'sync'] as const;
export type Waiter = (typeof WAITERS)[number];

export function sleeperOf({ place }: Tracks, who: Waiter): string {
  return `tracks:${place.path}:${who}`;
}

export function announce(tracks: Tracks): void {
  for (const who of WAITERS) tracks.it.run.wake(sleeperOf(tracks, who));
  tracks.it.changed();
}

/** Makes a phase. False: it does not begin because the tracks are over, or it has failed for good and ends them. */
export async function makePhase(
  tracks: Tracks,
  side: TrackSide,
  ctx: StepContext,
  phase: string,
  turn: number,
  how: 'running' | 'adjusting' = 'running',
): Promise<boolean> {
  const given = ctx.once(`begin-${phase}-${turn}`, () => begin(tracks, side, phase, turn, how));
  if (!given) return false;
  const end = await ctx.attempt(() => ctx.step(partOf(tracks.it, tracks.place, phase), { turn, given, ...sentBackWith(tracks) }));
  return ctx.once(`end-${phase}-${turn}`, () => conclude(tracks, side, phase, end));
}

/** The wish of the person who sent both back, for those who continue. */
export function sentBackWith({ it, place }: Tracks): Pick<PartCall, 'findings'> {
  return defined({ findings: it.run.record(place.path).brief?.findings });
}

/** A phase begins. Returns what it is given; null once the tracks are over. */
export function begin(
  tracks: Tracks,
  side: TrackSide,
  phase: string,
  turn: number,
  how: 'running' | 'adjusting' | 'provisional',
): Record<string, ArtifactRef> | null {
  const state = stateOf(tracks);
  if (state.over) return null;
  const before = state.phases[phase]?.delivered;
  state.phases[phase] = { state: how, turn, ...defined({ delivered: before }) };
  tracks.it.changed();
  return givenTo(tracks, side, phase);
}

/** A phase has ended. Whether it has delivered. */
export function conclude(tracks: Tracks, side: TrackSide, phase: string, end: { value: PartEnd } | { failure: ThermidorFailure }): boolean {
  const state = stateOf(tracks);
  const known = state.phases[phase] ?? { state: 'running', turn: 1 };
  if ('failure' in end) {
    const { code, message } = end.failure;
    if (BUGS.has(code)) throw end.failure;
    state.phases[phase] = { ...known, state: 'blocked' };
    state.over ??= { kind: 'blocked', side, phase, code, message };
  } else {
    const { artifact } = end.value;
    state.phases[phase] = { ...known, state: 'done', ...defined({ delivered: artifact }) };
  }
  announce(tracks);
  return !('failure' in end);
}

/** No further try fixes these. */
const BUGS: ReadonlySet<FailureCode> = new Set(['internal', 'step.program-changed']);

function givenTo(tracks: Tracks, side: TrackSide, phase: string): Record<string, ArtifactRef> {
  const { step } = tracks.place;
  const state = stateOf(tracks);
  const own = step[side].phases;
  const known = [...own.slice(0, own.indexOf(phase) + 1), ...visibleOf(state, step, side)];
  const found = step.sync.findIndex(({ after }) => after[side] === phase);
  return { ...delivered(state, known), ...lastAlignment(state, found) };
}

export function delivered({ phases }: TracksState, ids: readonly string[], named = deliverableOf): Record<string, ArtifactRef> {
  const found = ids.flatMap((id) => {
    const ref = phases[id]?.delivered;
    return ref ? [[named(id), ref] as const] : [];
  });
  return Object.fromEntries(found);
}

export function lastAlignment({ points }: TracksState, k: number): Record<string, ArtifactRef> {
  const ref = points[k]?.alignment;
  return ref ? { [ALIGNMENT_DOCUMENT]: ref } : {};
}
