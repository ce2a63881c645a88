import { failureOfEntry } from '../../workflows/interpreter/context/scope-log';
import type { AllEnd, PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { ownerOf, sendEnvelope } from '../../workflows/interpreter/messages/envelopes';
import { partOf, partPath } from '../../workflows/interpreter/patterns/parts';
import type { SyncSpec } from './model';
import { otherSide, type TrackSide } from './rules/alignment';
import { areBothAt, newsAt, type PointNews } from './state';
import { announce, begin, conclude, makePhase, sentBackWith, sleeperOf, stateOf, type Tracks, type Waiter } from './tracks';

/** The next phase: its turn, and whether it was already made provisionally. */
interface Next {
  turn: number;
  isDone: boolean;
}

/**
 * One track: its phases in order, and a wait at each point after them.
 *
 * Invariants: 1. the turn of a phase follows from the earlier checks alone, so that a further try, or another order of arrival, finds the
 * same phases at the same addresses; 2. provisional work counts only if the first check of the point before it finds the tracks aligned.
 */
export async function runTrack(tracks: Tracks, side: TrackSide, ctx: StepContext): Promise<void> {
  const { step } = tracks.place;
  const { phases } = step[side];
  let next: Next = { turn: 1, isDone: false };
  for (const [i, phase] of phases.entries()) {
    if (!next.isDone && !(await makePhase(tracks, side, ctx, phase, next.turn))) return;
    const k = step.sync.findIndex(({ after }) => after[side] === phase);
    const point = step.sync[k];
    const passed = point ? await passPoint(tracks, side, ctx, { k, point, turn: next.turn, following: phases[i + 1] }) : FRESH;
    if (!passed) return;
    next = passed;
  }
}

const FRESH: Next = { turn: 1, isDone: false };

/** A point, as a track arrives at it. */
interface AtPoint {
  k: number;
  point: SyncSpec;
  /** The turn of the phase before it, as first made. */
  turn: number;
  following: string | undefined;
}

/** Waits until the tracks are aligned, and adjusts if it has to. Undefined: they are over. */
async function passPoint(tracks: Tracks, side: TrackSide, ctx: StepContext, at: AtPoint): Promise<Next | undefined> {
  const { k, point, turn } = at;
  // The checks end it: the last of them aligns the tracks, or they are over.
  for (let attempt = 1; ; attempt += 1) {
    ctx.once(`arrives-${k}-${attempt}`, () => arrive(tracks, side, at, attempt));
    const { isDone, news } = await untilNews(tracks, side, ctx, at, attempt);
    if (news.kind === 'aligned') return { turn: attempt, isDone };
    if (news.kind !== 'adjust') return undefined;
    if (!news.sides.includes(side)) continue;
    if (!(await makePhase(tracks, side, ctx, point.after[side], turn + attempt, 'adjusting'))) return undefined;
  }
}

function arrive(tracks: Tracks, side: TrackSide, { k, point }: AtPoint, attempt: number): void {
  const found = stateOf(tracks).points[k];
  if (!found) return;
  found.arrived[side] = attempt;
  found.untilMs ??= tracks.it.run.ctx.now() + point.waitMs;
  announce(tracks);
}

/** Waits for the other track, then for the check. A track whose wait is over goes ahead meanwhile. */
async function untilNews(
  tracks: Tracks,
  side: TrackSide,
  ctx: StepContext,
  at: AtPoint,
  attempt: number,
): Promise<{ isDone: boolean; news: PointNews }> {
  const { k, point, following } = at;
  const { step } = tracks.place;
  const dueMs = tracks.it.run.ctx.now() + point.waitMs;
  const isMet = await ctx.awaited(`meets-${k}-${attempt}`, { sleeper: sleeperOf(tracks, side), dueMs }, () => {
    const state = stateOf(tracks);
    return areBothAt(state, k, attempt) || state.over ? true : undefined;
  });
  const isAhead = !isMet && attempt === 1 && following !== undefined && step.ahead === 'one_phase';
  if (!isMet) ctx.once(`late-${k}-${attempt}`, () => overdue(tracks, side, k, isAhead ? following : undefined));
  if (isAhead) return goAhead(tracks, side, ctx, k, following);
  return { isDone: false, news: await newsOf(tracks, ctx, side, k, attempt) };
}

/** Its wait is over. `ahead`: the phase that it begins meanwhile. */
function overdue(tracks: Tracks, side: TrackSide, k: number, ahead: string | undefined): void {
  const found = stateOf(tracks).points[k];
  if (found) delete found.untilMs;
  tellSlowTrack(tracks, side, k, ahead);
  tracks.it.changed();
}

async function newsOf(tracks: Tracks, ctx: StepContext, who: Waiter, k: number, attempt: number): Promise<PointNews> {
  const look = () => newsAt(stateOf(tracks), k, attempt);
  return (await ctx.awaited(`news-${k}-${attempt}`, { sleeper: sleeperOf(tracks, who) }, look)) ?? PAUSE;
}

const PAUSE: PointNews = { kind: 'pause' };

/**
 * Begins the next phase while the point is open. If it turns out that the tracks are not aligned, that phase is cancelled, or set aside.
 */
async function goAhead(
  tracks: Tracks,
  side: TrackSide,
  ctx: StepContext,
  k: number,
  following: string,
): Promise<{ isDone: boolean; news: PointNews }> {
  const given = ctx.once(`begins-${k}`, () => begin(tracks, side, following, 1, 'provisional'));
  if (!given) return { isDone: false, news: await newsOf(tracks, ctx, side, k, 1) };
  const end = await ctx.all(
    `ahead-${k}`,
    {
      phase: { part: partOf(tracks.it, tracks.place, following), turn: 1, given, ...sentBackWith(tracks) },
      news: (own) => newsOf(tracks, own, `${side}-ahead`, k, 1),
    },
    { enough: (so) => isSetAside(so['news']?.value as PointNews | undefined) },
  );
  const news = (end.ended['news'] as PointNews | undefined) ?? PAUSE;
  return { news, isDone: ctx.once(`settled-${k}`, () => settleAhead(tracks, side, following, end, news)) };
}

/** A track that pauses ends the phase that it is in. */
function isSetAside(news: PointNews | undefined): boolean {
  return news?.kind === 'adjust' || news?.kind === 'misaligned';
}

function settleAhead(tracks: Tracks, side: TrackSide, phase: string, { ended, failed }: AllEnd, news: PointNews): boolean {
  const value = ended['phase'] as PartEnd | undefined;
  const failure = failed['phase'];
  if (news.kind === 'aligned' && value) return conclude(tracks, side, phase, { value });
  // It is made again, in its place.
  if (news.kind === 'aligned' && failure) conclude(tracks, side, phase, { failure: failureOfEntry(failure) });
  else delete stateOf(tracks).phases[phase];
  tracks.it.changed();
  return false;
}

/**
 * Tells the agent of the slow track that the other waits for it: as an envelope in the journal, and as a message with its next turn or try.
 */
function tellSlowTrack(tracks: Tracks, side: TrackSide, k: number, ahead: string | undefined): void {
  const { it, place } = tracks;
  const { run } = it;
  const { step } = place;
  const point = step.sync[k];
  const slow = otherSide(side);
  if (!point) return;
  const goes = ahead === undefined ? '' : `; meanwhile it begins ${ahead}, which is done again if the two are not aligned`;
  const content = `${step[side].agent} has delivered ${point.after[side]} and waits for ${point.after[slow]} at the sync point ${point.id}${goes}.`;
  const at = new Date(run.ctx.now()).toISOString();
  for (const phase of step[slow].phases) {
    const { state, turn = 1 } = stateOf(tracks).phases[phase] ?? {};
    const record = run.state.records[partPath(place, phase, turn)];
    if (!record || (state !== 'running' && state !== 'adjusting')) continue;
    record.brief = { ...record.brief, messages: [...(record.brief?.messages ?? []), { from: step.id, content, at }] };
  }
  const payload = { sync_id: point.id, message: content };
  sendEnvelope(run, place.path, { from: ownerOf(run), to: step[slow].agent, intent: 'notify', payload, expect_response: false });
}
