import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import type { WorkEnd } from '../../workflows/interpreter/context/attempt-log';
import type { PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { partOf } from '../../workflows/interpreter/patterns/parts';
import { withinTime } from '../../workflows/interpreter/patterns/within-time';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { type Consulted, type ConsultStepAt, conclude, keepPosition, noteAnswer, noteRequest, positionsOf, viewOf } from './advice';
import { type AdviseGiven, type Advisers, ANSWER_DOCUMENT, CONSULT_DOCUMENT } from './rules/advise';
import type { ConsultPosition } from './state';
import { describeAdvice } from './view';

/**
 * Asks a specialist for advice (docs/patterns.md, CP-8).
 *
 * Invariants: 1. the rule alone decides who is asked next and which advice counts (`kinds/consult/rules/advise.ts`); 2. all of it has one
 * time limit, from the first question on; 3. missing advice is no failure: the output is then marked as unverified; 4. a try after a
 * failure continues with the question that broke off, and its time starts again.
 */
export async function performConsult(it: Interpreter, place: PlaceOf<'consult'>, _record: StepRecord, ctx: StepContext): Promise<WorkEnd> {
  return await withinTime(it, place, ctx, place.step.blockedAfterMs, (own) => consult({ it, place }, own));
}

async function consult(step: ConsultStepAt, ctx: StepContext): Promise<WorkEnd> {
  const { it, place } = step;
  const left = ctx.once('left', () => positionsOf(step).left() ?? null);
  const first = left ?? (await open(step, ctx));
  if (first === undefined) return { skipped: true, reason: 'the question is empty' };
  const dueMs = ctx.once('due', () => (place.step.timeoutMs === undefined ? null : it.run.ctx.now() + place.step.timeoutMs));
  const end = await ctx.loop('answers', first, (turn, position) => askOne(step, turn, position, dueMs));
  await ctx.through('output', () => composeOutput(it, place, { kind: 'artifact', artifact: end.record }));
  ctx.once('concluded', () => conclude(step, end));
  return { reason: `${it.run.name(place.path)}: ${describeAdvice(viewOf(step))}` };
}

/** Undefined if there is nothing to ask. */
async function open(step: ConsultStepAt, ctx: StepContext): Promise<ConsultPosition | undefined> {
  const { it, place } = step;
  const { topic, urgency, advisers } = place.step;
  const call = { rule: 'ask', given: { topic, urgency } } as const;
  const { artifact, values } = await decide<'ask'>(it, place, ctx, 'question', () => ({ call, readsMatter: true }));
  const turn = ctx.once('turn', () => positionsOf(step).firstTurn());
  const [first] = advisers;
  if (values.question === '' || !first) return undefined;
  return { turn, move: { ask: first.as }, record: artifact, ...values };
}

async function askOne(
  step: ConsultStepAt,
  ctx: StepContext,
  position: ConsultPosition,
  dueMs: number | null,
): Promise<{ next: ConsultPosition } | { done: Consulted }> {
  const { it, place } = step;
  const { turn, move } = position;
  ctx.once('asked', () => {
    keepPosition(step, position);
    noteRequest(step, position);
  });
  const { answer, ...said } = await answerOf(step, ctx, position, dueMs);
  const advisers: Advisers = Object.fromEntries(place.step.advisers.map(({ as, name }) => [as, name]));
  const given: AdviseGiven = { move, advisers, ...said };
  const documents = { [CONSULT_DOCUMENT]: position.record, ...defined({ [ANSWER_DOCUMENT]: answer }) };
  const decided = await decide<'advise'>(it, place, ctx, `advice-${turn}`, () => ({ call: { rule: 'advise', given }, documents }));
  const { next, answer: brief, ...end } = decided.values;
  ctx.once('answered', () => noteAnswer(step, position, brief, given));
  if ('end' in next) return { done: { ...end, outcome: next.end, record: decided.artifact } };
  return { next: { ...position, turn: turn + 1, move: next, record: decided.artifact } };
}

/** The adviser's answer, if it comes in time: one that a lost worker was paid for counts (`context/all.ts`). */
async function answerOf(
  { it, place }: ConsultStepAt,
  ctx: StepContext,
  { turn, move, record }: ConsultPosition,
  dueMs: number | null,
): Promise<{ answer?: ArtifactRef } & Pick<AdviseGiven, 'failed' | 'late'>> {
  const part = partOf(it, place, move.ask);
  const question = { part, turn, given: { [CONSULT_DOCUMENT]: record } };
  const within = dueMs === null ? {} : { timeoutMs: Math.max(0, dueMs - it.run.ctx.now()) };
  const { ended, failed, timedOut } = await ctx.all('advice', { advice: question }, within);
  const end = ended['advice'] as PartEnd | undefined;
  const failure = failed['advice'];
  if (failure) return { failed: `gave no answer: ${failure.code}: ${failure.message}` };
  if (end?.artifact) return { answer: end.artifact };
  return timedOut ? { late: true } : { failed: `gave no answer: it was ${end?.state ?? 'cancelled'}` };
}
