import type { ArtifactRef } from '../../plan/run/artifact';
import { bug } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import { partOf } from '../../workflows/interpreter/patterns/parts';
import { ALIGNMENT_ANSWER, type AlignmentValues } from './rules/alignment';
import { areBothAt } from './state';
import { announce, delivered, keptOf, lastAlignment, sleeperOf, stateOf, type Tracks } from './tracks';

/**
 * The checks, point by point: each begins once both tracks have arrived, and is repeated once the adjusting tracks have done so.
 *
 * Invariants: 1. the rule decides what is aligned, from the check's answer (`kinds/tracks/rules/alignment.ts`); 2. if the last check does
 * not find the tracks aligned, they are over.
 */
export async function checkPoints(tracks: Tracks, ctx: StepContext): Promise<void> {
  for (const k of tracks.place.step.sync.keys()) if (!(await checkPoint(tracks, ctx, k))) return;
}

/** Whether the tracks go on past it. */
async function checkPoint(tracks: Tracks, ctx: StepContext, k: number): Promise<boolean> {
  const rounds = ctx.once(`rounds-${k}`, () => roundsOf(tracks, k));
  for (let attempt = 1; attempt <= rounds; attempt += 1) {
    const met = await ctx.awaited(`both-${k}-${attempt}`, { sleeper: sleeperOf(tracks, 'sync') }, () => {
      const state = stateOf(tracks);
      if (areBothAt(state, k, attempt)) return 'both';
      return state.over ? 'over' : undefined;
    });
    if (met !== 'both') return false;
    if (await isAlignedNow(tracks, ctx, k, attempt, rounds)) return true;
  }
  return false;
}

/** A further try after `tracks.misaligned` has as many checks again. */
function roundsOf(tracks: Tracks, k: number): number {
  const { rounds = 1, id = '' } = tracks.place.step.sync[k] ?? {};
  return rounds * (1 + (keptOf(tracks).usedUp?.[id] ?? 0));
}

async function isAlignedNow(tracks: Tracks, ctx: StepContext, k: number, attempt: number, rounds: number): Promise<boolean> {
  const { it, place } = tracks;
  const point = place.step.sync[k];
  if (!point) throw bug(`${it.run.name(place.path)} has no sync point ${k}`);
  const { id, after } = point;
  const given = ctx.once(`checks-${k}-${attempt}`, () => {
    const state = stateOf(tracks);
    const found = state.points[k];
    if (found) found.checking = true;
    it.changed();
    return { ...delivered(state, [after.a, after.b]), ...lastAlignment(state, k) };
  });
  const checked = await ctx.attempt(() => ctx.step(partOf(it, place, id), { turn: attempt, given }));
  if ('failure' in checked) {
    ctx.once(`unchecked-${k}-${attempt}`, () => {
      stateOf(tracks).over ??= { kind: 'unchecked' };
      announce(tracks);
    });
    throw checked.failure;
  }
  const { artifact } = checked.value;
  const documents = artifact ? { [ALIGNMENT_ANSWER]: artifact } : {};
  const call = { rule: 'align', given: { sync: id, attempt } } as const;
  const { artifact: whole, values } = await decide<'align'>(it, place, ctx, `align-${id}-${attempt}`, () => ({ call, documents }));
  return ctx.once(`checked-${k}-${attempt}`, () => noteCheck(tracks, { k, id, isLast: attempt === rounds }, values, whole));
}

/** Writes a check's findings into journal and state, and wakes both tracks. Returns whether they are aligned. */
function noteCheck(
  tracks: Tracks,
  { k, id, isLast }: { k: number; id: string; isLast: boolean },
  { status, adjust, conflicts, ...states }: AlignmentValues,
  alignment: ArtifactRef,
): boolean {
  const { it, place } = tracks;
  const state = stateOf(tracks);
  const found = state.points[k];
  const { after } = place.step.sync[k] ?? {};
  // If the check does not describe a track's state, it is what the track has delivered.
  const stateOfTrack = (said: Json, phase: string | undefined): Json => {
    const ref = state.phases[phase ?? '']?.delivered;
    return said ?? (ref ? { $ref: ref.name ?? ref.sha256, sha256: ref.sha256 } : null);
  };
  const [trackA_state, trackB_state] = [stateOfTrack(states.trackA_state, after?.a), stateOfTrack(states.trackB_state, after?.b)];
  journalFeedback(it, place, { type: 'sync_checkpoint', data: { sync_id: id, status, trackA_state, trackB_state, conflicts } });
  if (found) {
    found.verdicts.push({ status, adjust });
    found.alignment = alignment;
    delete found.checking;
    delete found.untilMs;
  }
  const isAligned = status === 'ALIGNED';
  if (isAligned) for (const phase of Object.values(state.phases)) if (phase.state === 'provisional') phase.state = 'running';
  if (!isAligned && isLast) state.over ??= { kind: 'misaligned', point: k };
  announce(tracks);
  return isAligned;
}
