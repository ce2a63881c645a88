import { defined } from '../../plan/defined';
import { ISSUE_DOCUMENT, RECORD_DOCUMENT } from '../../plan/patterns/called';
import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { unreachable } from '../../plan/unreachable';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Perform } from '../../workflows/interpreter/interpreter';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { partIn } from '../../workflows/interpreter/patterns/parts';
import { askLevel } from './ask';
import { conclude, type EscalationStep, goUp, keepPosition, positionsOf, viewOf } from './levels';
import { CHECK_PART } from './model';
import { ANSWER_DOCUMENT, type DiagnoseGiven } from './rules/diagnose';
import type { EscalationEnd, EscalationPosition } from './state';
import { describeLevel } from './view';

/**
 * An issue goes up level by level until one of them solves it (docs/patterns.md, CP-5).
 *
 * Invariants: 1. only the rule decides who is next (`kinds/escalate/rules/diagnose.ts`); 2. each attempt is a turn, and reads the earlier
 * answers;
 * 3. an agent that fails has made its attempt; 4. a try after a failure continues in the attempt that broke off.
 */
export const performEscalate: Perform<'escalate'> = async (it, place, record, ctx) => {
  const step: EscalationStep = { it, place };
  const left = ctx.once('left', () => positionsOf(step).left() ?? null);
  const first = left ?? (await openIssue(step, ctx));
  if (first === undefined) return { skipped: true, reason: 'there is no issue to solve' };
  const end = await ctx.loop('attempts', first, (turn, position) => makeAttempt(step, turn, position));
  await ctx.through('output', () => composeOutput(it, place, { kind: 'artifact', artifact: end.record }));
  ctx.once('concluded', () => conclude(step, end));
  const message = `${it.run.name(place.path)}: ${describeLevel(viewOf(step))}`;
  switch (end.outcome) {
    case 'solved':
    case 'workaround':
      return { reason: message };
    case 'root_cause':
      // The caller continues, from its own place.
      if (record.brief?.calledBy !== undefined) return { reason: message };
      return {
        cause: { kind: 'exhausted', list: 'onRootCause', code: 'escalate.root-cause', message: `${message}: ${end.rootCause ?? ''}` },
      };
    case 'unsolved':
      throw new ThermidorFailure('escalate.unsolved', `no level of ${it.run.name(place.path)} solved "${first.issue}"`);
    default:
      return unreachable(end.outcome);
  }
};

/** Undefined if there is nothing to solve. */
async function openIssue(step: EscalationStep, ctx: StepContext): Promise<EscalationPosition | undefined> {
  const { it, place } = step;
  const { artifact, values } = await decide<'issue'>(it, place, ctx, 'issue', () => {
    // An action's issue comes before the step's own.
    const passedOn = it.run.record(place.path).brief?.given?.[ISSUE_DOCUMENT];
    return { call: { rule: 'issue', given: {} }, ...(passedOn ? { documents: { [ISSUE_DOCUMENT]: passedOn } } : { readsMatter: true }) };
  });
  const turn = ctx.once('turn', () => positionsOf(step).firstTurn());
  if (values.issue === '') return undefined;
  return { turn, move: { kind: 'ask', level: 0, attempt: 1 }, record: artifact, issue: values.issue };
}

type Ended = EscalationEnd & { record: ArtifactRef };

async function makeAttempt(
  step: EscalationStep,
  ctx: StepContext,
  position: EscalationPosition,
): Promise<{ next: EscalationPosition } | { done: Ended }> {
  const { it, place } = step;
  const { turn, move } = position;
  ctx.once('position', () => keepPosition(step, position));
  const { answer, claims, ...said } = await askLevel(step, ctx, position);
  const check = claims ? await whyNotSolved(step, ctx, turn) : undefined;
  const { levels, onRootCause, remember } = place.step;
  const given: DiagnoseGiven = {
    ...{ move, levels: levels.map(({ name, kind, attempts }) => ({ name, kind, attempts })) },
    ...{ replans: onRootCause !== undefined, remembers: remember === true, ...said },
    ...defined({ check }),
  };
  const documents = { [RECORD_DOCUMENT]: position.record, ...defined({ [ANSWER_DOCUMENT]: answer }) };
  const decided = await decide<'diagnose'>(it, place, ctx, `diagnosis-${turn}`, () => ({ call: { rule: 'diagnose', given }, documents }));
  const { artifact: record, values } = decided;
  const { next, raised, ...end } = values;
  if (next.kind === 'end') return { done: { ...end, outcome: next.outcome, record } };
  if (raised) ctx.once('raised', () => goUp(step, position.issue, raised));
  return { next: { turn: turn + 1, move: next, record, issue: position.issue } };
}

/** A level says that the issue is solved: the failure of the command that checks it. Undefined if it passes, or there is none. */
async function whyNotSolved({ place }: EscalationStep, ctx: StepContext, turn: number): Promise<string | undefined> {
  const part = partIn(place.step.parts, place.step.id, CHECK_PART);
  if (!part) return undefined;
  const checked = await ctx.attempt(() => ctx.step(part, { turn }));
  return 'failure' in checked ? `${checked.failure.code}: ${checked.failure.message}` : undefined;
}
