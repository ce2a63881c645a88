import { defined } from '../../plan/defined';
import type { RuleCall } from '../../plan/patterns/rule';
import type { ArtifactRef } from '../../plan/run/artifact';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import { unreachable } from '../../plan/unreachable';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import type { WorkEnd } from '../../workflows/interpreter/context/attempt-log';
import { failureOfEntry } from '../../workflows/interpreter/context/scope-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { partOf } from '../../workflows/interpreter/patterns/parts';
import { withinTime } from '../../workflows/interpreter/patterns/within-time';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { checkPoints } from './check';
import { INTEGRATION_PART } from './model';
import { TRACK_SIDES } from './rules/alignment';
import type { SyncResult } from './rules/report';
import { isAligned, newTracks, type TracksOver } from './state';
import { runTrack } from './track';
import { announce, delivered, keptOf, makePhase, stateOf, type Tracks } from './tracks';

/**
 * Two agents work in parallel and are aligned at points (docs/patterns.md, CP-9): phases of both, a check when both have arrived,
 * adjustments, and one test of all.
 *
 * Invariants: 1. each track is a coroutine, the checks are a third, and they communicate only through the step's state; 2. a further try,
 * even of one that was sent back before its end, finds finished work at the addresses of its parts, and continues from there; 3. once a
 * phase has failed for good no other begins, and those in progress end.
 */
export async function performTracks(
  it: Interpreter,
  place: PlaceOf<'tracks'>,
  _record: StepRecord,
  ctx: StepContext,
): Promise<WorkEnd | undefined> {
  const tracks: Tracks = { it, place };
  return await withinTime(it, place, ctx, place.step.timeoutMs, (own) => work(tracks, own));
}

async function work(tracks: Tracks, ctx: StepContext): Promise<WorkEnd | undefined> {
  const { it, place } = tracks;
  const { step } = place;
  ctx.once('begun', () => {
    keptOf(tracks).tracks = newTracks(step.sync.length);
  });
  const { failed } = await ctx.all('tracks', {
    a: (own) => runTrack(tracks, 'a', own),
    b: (own) => runTrack(tracks, 'b', own),
    sync: (own) => checkPoints(tracks, own),
  });
  const [failure] = Object.values(failed);
  if (failure) throw failureOfEntry(failure);
  const over = ctx.once('over', () => stateOf(tracks).over ?? null);
  if (over?.kind === 'misaligned' && !step.onMisaligned) await followLinearly(tracks, ctx, over.point);
  const end = ctx.once('end', () => {
    const state = stateOf(tracks);
    if (!state.over) state.ended = true;
    return state.over ?? null;
  });
  if (end) throw givenUp(tracks, ctx, end);
  if (step.integrates) await ctx.step(partOf(it, place, INTEGRATION_PART), { turn: 1 });
  const { artifact } = await decide<'report-tracks'>(it, place, ctx, 'report', () => reportOf(tracks));
  await ctx.through('output', () => composeOutput(it, place, { kind: 'artifact', artifact }));
  return stateOf(tracks).linear ? { reason: 'the tracks could not be aligned: b followed a' } : undefined;
}

/** The step's failure. */
function givenUp(tracks: Tracks, ctx: StepContext, over: TracksOver): ThermidorFailure {
  const { it, place } = tracks;
  const name = it.run.name(place.path);
  switch (over.kind) {
    case 'blocked': {
      const { side, phase, code, message } = over;
      const { agent } = place.step[side];
      const text = `track ${side} of ${name} is blocked: ${agent} did not complete ${phase}: ${message}`;
      return new ThermidorFailure('tracks.blocked', text, { track: side, phase, agent, code });
    }
    case 'misaligned': {
      const { id = '' } = place.step.sync[over.point] ?? {};
      const checks = ctx.once('used-up', () => {
        const { usedUp = {} } = keptOf(tracks);
        keptOf(tracks).usedUp = { ...usedUp, [id]: (usedUp[id] ?? 0) + 1 };
        return stateOf(tracks).points[over.point]?.verdicts.length ?? 0;
      });
      const text = `the tracks of ${name} are not aligned at ${id} after ${checks === 1 ? 'one check' : `${checks} checks`}`;
      return new ThermidorFailure('tracks.misaligned', text, { sync_id: id, checks });
    }
    case 'unchecked':
      return bug(`${name} has gone on without a check`);
    default:
      return unreachable(over);
  }
}

function reportOf(tracks: Tracks): { call: Extract<RuleCall, { rule: 'report-tracks' }>; documents: Record<string, ArtifactRef> } {
  const { step } = tracks.place;
  const state = stateOf(tracks);
  const phases = { a: step.a.phases, b: step.b.phases };
  const sync = step.sync.map(({ id, name }, k): SyncResult => {
    const point = state.points[k];
    const status = point && isAligned(point) ? 'ALIGNED' : state.points[k]?.verdicts.length ? 'MISALIGNED' : 'SKIPPED';
    return { id, ...defined({ name }), status, attempts: point?.verdicts.length ?? 0 };
  });
  const documents = delivered(
    state,
    TRACK_SIDES.flatMap((side) => phases[side]),
    (phase) => phase,
  );
  return { call: { rule: 'report-tracks', given: { status: state.linear ? 'linear' : 'aligned', phases, sync } }, documents };
}

/**
 * The tracks could not be aligned: track a continues to its end, then b follows what a has delivered, from the phase in which they were not
 * aligned. Only the integration of both is still checked. Returns whether both have ended.
 */
async function followLinearly(tracks: Tracks, ctx: StepContext, k: number): Promise<boolean> {
  const { step } = tracks.place;
  const point = step.sync[k];
  const checks = ctx.once('linear', () => {
    const state = stateOf(tracks);
    delete state.over;
    state.linear = true;
    announce(tracks);
    return state.points[k]?.verdicts.length ?? 0;
  });
  for (const side of TRACK_SIDES) {
    const { phases } = step[side];
    const met = phases.indexOf(point?.after[side] ?? '');
    for (const [i, phase] of phases.entries()) {
      if (i < met || (i === met && side === 'a')) continue;
      const turn = ctx.once(`turn-${phase}`, () => turnOf(tracks, phase, { isMet: i === met, follows: i === met + 1, checks }));
      if (!(await makePhase(tracks, side, ctx, phase, turn, i === met ? 'adjusting' : 'running'))) return false;
    }
  }
  return true;
}

/** A turn that no try uses for anything else (`track.ts`, invariant 1). */
function turnOf(tracks: Tracks, phase: string, { isMet, follows, checks }: { isMet: boolean; follows: boolean; checks: number }): number {
  if (isMet) return (stateOf(tracks).phases[phase]?.turn ?? 0) + 1;
  return follows ? checks + 1 : 1;
}
