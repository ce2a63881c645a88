import { defined } from '../../plan/defined';
import { RECORD_DOCUMENT } from '../../plan/patterns/called';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { partOf, stored } from '../../workflows/interpreter/patterns/parts';
import { fixPart, ROLLBACK_PART, VERIFY_PART } from './model';
import { AFTER_DOCUMENT, ANSWER_DOCUMENT, BEFORE_DOCUMENT, type JudgeGiven } from './rules/turns';
import type { CheckEnd, SwarmPosition } from './state';
import { checkEnd, commitBeforeFix, noteFix, type SwarmStep, type TurnEnd } from './swarm';

/**
 * One agent applies a diagnosis, and the check says whether it is solved.
 *
 * Invariants: 1. if the step has a worktree, a fix that has not solved the issue is taken back before anything else is tried, also when a
 * further try finds it there; 2. an agent that fails has applied nothing.
 */
export async function tryFix(step: SwarmStep, ctx: StepContext, position: SwarmPosition): Promise<TurnEnd> {
  const { it, place } = step;
  const { turn, round, record, nth = 0, before } = position;
  const author = position.candidates[nth]?.by ?? '';
  const fixer = place.step.fixer ?? author;
  const commit = ctx.once('commit', () => commitBeforeFix(step) ?? null);
  const { answer, failed } = await apply(step, ctx, position, fixer);
  const after = failed === undefined ? await check(step, ctx, turn) : undefined;
  const rollsBack = commit !== null;
  const given: JudgeGiven = {
    ...{ round, rounds: place.step.rounds, nth, fixer, rollsBack },
    ...defined({ failed, check: after?.failed, passedBefore: hadPassed(before) }),
  };
  const documents: Record<string, ArtifactRef> = {
    [RECORD_DOCUMENT]: record,
    ...defined({ [ANSWER_DOCUMENT]: answer, [BEFORE_DOCUMENT]: before?.report, [AFTER_DOCUMENT]: after?.report }),
  };
  const { artifact, values } = await decide<'judgeFix'>(it, place, ctx, `fix-${turn}`, () => ({
    call: { rule: 'judgeFix', given },
    documents,
  }));
  const { outcome, next, solution, soFar } = values;
  if (outcome !== 'solved' && commit !== null) await rollBack(step, ctx, turn, commit);
  ctx.once('tried', () => noteFix(step, { fixer, author, outcome, rolledBack: rollsBack && outcome !== 'solved' }));
  return { next, position: { ...position, record: artifact, soFar }, ...defined({ solution }) };
}

async function apply(
  { it, place }: SwarmStep,
  ctx: StepContext,
  { turn, round, nth = 0, record }: SwarmPosition,
  fixer: string,
): Promise<{ answer?: ArtifactRef; failed?: string }> {
  const call = { rule: 'candidateOf', given: { round, nth } } as const;
  const { artifact: diagnosis } = await decide<'candidateOf'>(it, place, ctx, `diagnosis-${turn}`, () => ({
    call,
    documents: { [RECORD_DOCUMENT]: record },
  }));
  const found = place.step.agents.find(({ name }) => name === fixer)?.part ?? fixer;
  const given = { diagnosis, [RECORD_DOCUMENT]: record };
  const asked = await ctx.attempt(() => ctx.step(partOf(it, place, fixPart(found)), { turn, given }));
  if ('failure' in asked) return { failed: `${asked.failure.code}: ${asked.failure.message}` };
  const { artifact, values = {} } = asked.value;
  const answer = defined({ answer: artifact });
  return values['applied'] === false ? { ...answer, failed: `${fixer} has not applied the diagnosis` } : answer;
}

async function check(step: SwarmStep, ctx: StepContext, turn: number): Promise<CheckEnd> {
  const { it, place } = step;
  const checked = await ctx.attempt(() => ctx.step(partOf(it, place, VERIFY_PART), { turn }));
  return 'failure' in checked ? { failed: `${checked.failure.code}: ${checked.failure.message}` } : checkEnd(step, checked.value);
}

/** Undefined if it is unknown, or a report says it. */
function hadPassed(before: CheckEnd | undefined): boolean | undefined {
  if (!before || before.report) return undefined;
  return before.failed === undefined;
}

async function rollBack({ it, place }: SwarmStep, ctx: StepContext, turn: number, commit: string): Promise<void> {
  const ref = await stored(it, place, ctx, `commit-${turn}`, () => commit);
  await ctx.step(partOf(it, place, ROLLBACK_PART), { turn, given: { commit: ref } });
}
