import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { FailureCode } from '../../plan/run/failure';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import type { WorkEnd } from '../../workflows/interpreter/context/attempt-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import { withinTime } from '../../workflows/interpreter/patterns/within-time';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import {
  type Attempt,
  assign,
  attemptAt,
  concludeDelivery,
  type DeliveryStep,
  failsOf,
  incrementOf,
  noteProgress,
  openDelivery,
  openWorktree,
  putBack,
  stateOf,
} from './delivery-step';
import { validateWhole } from './final';
import { type Tried, tryIncrement } from './gates';
import {
  type AttemptVerdict,
  beginAttempt,
  currentIncrement,
  endAttempt,
  isOverShare,
  keptIncrements,
  lostIncrements,
} from './rules/delivery';
import { type DeliveryOutcome, describeDelivery, outputOf } from './rules/output';

/**
 * A plan is delivered increment by increment (docs/patterns.md, CP-6): executor → gates → next increment, fix, or rollback and block. At
 * the end the whole is validated.
 *
 * Invariants: 1. only the rule decides what is next and what follows an attempt (`kinds/increments/rules/delivery.ts`); 2. an attempt is a
 * turn, and begins from what is kept;
 * 3. a try after a failure continues with the increment that broke off, one after a loss tries lost increments again; 4. the step is done
 * if all increments are kept with all their tasks, and the whole is valid: `on_blocked` decides whether less is enough.
 */
export async function performIncrements(
  it: Interpreter,
  place: PlaceOf<'increments'>,
  _record: StepRecord,
  ctx: StepContext,
): Promise<WorkEnd | undefined> {
  const step: DeliveryStep = { it, place };
  const call = { rule: 'divide', given: {} } as const;
  const { artifact: plan, values } = await decide<'divide'>(it, place, ctx, 'increments', () => ({ call, readsMatter: true }));
  await openWorktree(step, ctx);
  ctx.once('opened', () => {
    openDelivery(step, plan, values.increments);
    noteProgress(step);
  });
  const isStopped = await ctx.loop('attempts', {}, (turn, before: Before) => attempt(step, turn, plan, before));
  await putBack(step, ctx, 'kept');
  const isValid = isStopped || (await withinTime(it, place, ctx, place.step.blockedAfterMs, (own) => validateWhole(step, own)));
  const end = ctx.once('end', () => {
    const outcome = outcomeOf(step, isValid);
    concludeDelivery(step);
    return outputOf(stateOf(step), outcome);
  });
  await ctx.through('output', () => composeOutput(it, place, { kind: 'value', value: end }));
  const message = `${it.run.name(place.path)}: ${describeDelivery(end)}`;
  if (end.outcome === 'delivered') return { reason: message };
  return { cause: { kind: 'exhausted', list: 'onBlocked', code: FAILS_WITH[end.outcome], message } };
}

const FAILS_WITH = {
  partial: 'increments.blocked',
  stopped: 'increments.blocked',
  unfounded: 'increments.final',
} as const satisfies Record<Exclude<DeliveryOutcome, 'delivered'>, FailureCode>;

/** What an attempt learns of the previous one. `dueMs`: its increment's deadline. */
interface Before {
  review?: ArtifactRef;
  dueMs?: number;
}

/** `done` says whether the delivery stopped because too much is lost. */
async function attempt(
  step: DeliveryStep,
  ctx: StepContext,
  plan: ArtifactRef,
  { review, dueMs: due }: Before,
): Promise<{ next: Before } | { done: boolean }> {
  const { it, place } = step;
  const { blockedAfterMs } = place.step;
  const next = ctx.once('next', () => begin(step));
  if (!next) return { done: ctx.once('stopped', () => isOverShare(stateOf(step), step.place.step.blockedShare)) };
  await putBack(step, ctx, String(next.turn));
  const increment = await assign(step, ctx, next, { plan, review });
  const dueMs = blockedAfterMs === undefined ? undefined : ctx.once('due', () => due ?? it.run.ctx.now() + blockedAfterMs);
  const leftMs = dueMs === undefined ? undefined : Math.max(0, dueMs - it.run.ctx.now());
  const tried = await withinTime(it, place, ctx, leftMs, (own) => tryIncrement(step, own, next, increment));
  const verdict = ctx.once('verdict', () => end(step, next, tried));
  return { next: verdict === 'to-fix' ? defined({ review: tried.review, dueMs }) : {} };
}

/** Null once all increments are over, or too much is lost. */
function begin(step: DeliveryStep): Attempt | null {
  const delivery = stateOf(step);
  const current = currentIncrement(delivery);
  if (!current || isOverShare(delivery, step.place.step.blockedShare)) return null;
  const next = attemptAt(step, current);
  beginAttempt(delivery, current, next.turn);
  noteProgress(step);
  return next;
}

/** The rule, the signals and the view are one step. */
function end(step: DeliveryStep, { id }: Attempt, tried: Tried): AttemptVerdict {
  const { it, place } = step;
  const { executor, validator, fixes } = place.step;
  const increment = incrementOf(step, id);
  const verdict = endAttempt(stateOf(step), increment, tried, fixes);
  const { failed, affectedFiles = [], suggestion, judged } = tried;
  if (judged) {
    const data = { ...judged, increment: id, iteration: increment.attempts };
    journalFeedback(it, place, { type: 'review_result', ...defined({ from: validator }), data });
  }
  if (verdict === 'passed')
    journalFeedback(it, place, { type: 'increment_ready', from: executor, data: { increment: id, status: 'PASS' } });
  if (verdict === 'to-fix') {
    const data = {
      ...{ increment: id, failed_gates: failed.map(({ gate }) => gate), affected_files: [...affectedFiles] },
      suggestion: suggestion ?? failed.map(({ message }) => message).join('\n'),
    };
    journalFeedback(it, place, { type: 'fix_required', to: executor, data });
  }
  if (verdict === 'blocked' || verdict === 'divided') {
    const follows = verdict === 'blocked' ? 'blocked' : 'its tasks are tried one by one';
    const reason = `${id} is rolled back and ${follows}: ${failsOf(failed)}`;
    it.run.journal.add({ kind: 'step', step: it.run.name(place.path), state: 'running', reason });
  }
  noteProgress(step);
  return verdict;
}

function outcomeOf(step: DeliveryStep, isValid: boolean): DeliveryOutcome {
  const delivery = stateOf(step);
  if (!isValid) return 'unfounded';
  if (isOverShare(delivery, step.place.step.blockedShare)) return 'stopped';
  const isWhole = lostIncrements(delivery).length === 0 && delivery.blockedTasks.length === 0;
  return isWhole && keptIncrements(delivery).length > 0 ? 'delivered' : 'partial';
}
