import { isApproval, judges } from '../../../kinds/questions';
import { defined } from '../../../plan/defined';
import { RETRIES_PER_STEP } from '../../../plan/plan';
import type { FailureCode } from '../../../plan/run/failure';
import { type Action, actionsIn, listAfter } from '../../../plan/steps/action';
import { Cancelled } from '../../run-context';
import type { ExhaustedCause, FailureRecord, ReturnedCause, WorkEnd } from '../context/attempt-log';
import { failureRecord } from '../context/scope-log';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import { rejectRun } from '../reject-run';
import { isSuperseded, type Place } from '../scheduling/place';
import { judgeStateOf } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';
import { actOn, firstDecision } from './actions';
import { escalate } from './escalation';
import { settle } from './settle';
import type { StepResult } from './step-result';

/** Whether nothing follows work that has ended so, but that its step settles: most steps pay for no promise more. */
export function isDone({ step }: Place, record: StepRecord, { cause, rejectRun: reason }: WorkEnd): boolean {
  if (cause !== undefined || reason !== undefined || step.approval !== undefined) return false;
  return !judges(step) || verdictPasses(record);
}

/** Whether nothing follows from what the reviewer says, and a second one says the same. */
function verdictPasses(record: StepRecord): boolean {
  const { verdict, critic } = judgeStateOf(record) ?? {};
  return !verdict || (verdict.verdict === 'pass' && (!critic || critic.verdict.verdict === 'pass'));
}

/** What follows work that has not failed: a person's no, a verdict, an approval behind it. */
export async function afterWork(
  it: Interpreter,
  place: Place,
  record: StepRecord,
  ctx: StepContext,
  { cause, rejectRun: reason, reason: said }: WorkEnd,
): Promise<StepResult> {
  const { step } = place;
  if (reason !== undefined) return rejectRun(it, place, reason);
  if (cause?.kind === 'silence') return escalate(it, place, ctx, it.run.plan.escalation ?? [{ kind: 'human' }], cause);
  if (cause?.kind === 'returned') return afterReturn(it, place, record, ctx, cause);
  if (cause?.kind === 'exhausted') return actOn(it, place, ctx, afterRounds(step, cause), cause);
  if (cause) return actOn(it, place, ctx, isApproval(step) ? (step.onReject ?? []) : [], cause);
  if (judges(step)) return it.kinds.afterVerdict(it, { ...place, step }, record, ctx);
  if (!step.approval) return settle(it, place, 'done', said);
  const asked = record.asked?.question;
  const decision = await ctx.gate('approval', { kind: 'approval', show: [], ...defined({ asked }) });
  if (decision.choice === 'approve') return settle(it, place, 'done', said);
  return actOn(it, place, ctx, step.approval.onReject ?? [], { kind: 'rejected', decision });
}

function afterRounds(step: Place['step'], { list }: ExhaustedCause): readonly Action[] {
  return (list ? actionsIn(step, list) : (actionsIn(step, 'onExhausted') ?? actionsIn(step, 'onFail'))) ?? [];
}

/** Candidates came back. If no action of the step decides, it fails with that. */
async function afterReturn(it: Interpreter, place: Place, record: StepRecord, ctx: StepContext, cause: ReturnedCause): Promise<StepResult> {
  const actions = actionsIn(place.step, 'onConflict') ?? RETURN_TO_AUTHOR;
  const result = await firstDecision(it, place, ctx, actions, cause);
  if (result !== 'next') return result;
  const failure: FailureRecord = { code: 'merge.returned', message: cause.reason };
  record.error = failure;
  return await actOn(it, place, ctx, place.step.onError ?? [], { kind: 'error', failure });
}

const RETURN_TO_AUTHOR: readonly Action[] = [{ kind: 'return_to_author', max: RETRIES_PER_STEP }];

/** What follows work that has failed for good. If its actions fail too, such as a gate that cannot be shown, the step fails with that. */
export async function afterFailure(
  it: Interpreter,
  place: Place,
  record: StepRecord,
  ctx: StepContext,
  failure: FailureRecord,
): Promise<StepResult> {
  try {
    return await actOn(it, place, ctx, actionsFor(place, failure), { kind: 'error', failure });
  } catch (error) {
    if (isSuperseded(place)) throw new Cancelled();
    const second = failureRecord(error);
    record.error = second;
    return await actOn(it, place, ctx, [], { kind: 'error', failure: second });
  }
}

function actionsFor({ step }: Place, { code }: FailureRecord): readonly Action[] {
  if (isUnknown(code)) return [{ kind: 'hold' }];
  const list = listAfter(code);
  return (list && actionsIn(step, list)) ?? step.onError ?? [];
}

/** Whether it was done only a person can find out: no try and no action of the step's own may come before that. */
export function isUnknown(code: FailureCode): boolean {
  return code === 'action.unknown';
}
