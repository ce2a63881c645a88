import { accountsAround, isBudgeted } from '../budget/accounts';
import { askUntilAllowed } from '../budget/budget-gate';
import { lateAccount, outOfTime } from '../budget/reserve';
import type { WorkEnd } from '../context/attempt-log';
import type { StepContext } from '../context/step-context';
import { approvalFor } from '../gates/step-approval';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';

/** Kinds whose steps themselves do something outside the run. */
const DOING: readonly string[] = ['agent', 'review', 'command', 'stages', 'notify', 'pipeline'];

/** Whether something must be asked before a step of this kind begins. */
export function needsApprovalFirst(it: Interpreter, { step, ...place }: Place): boolean {
  return DOING.includes(step.kind) && (step.category !== undefined || isBudgeted(it.run, { step, ...place }));
}

/**
 * The conditions before a step's work: time left in its budgets, and, if its action needs approval, that approval. Returns a person's
 * refusal.
 */
export async function authoriseStep(it: Interpreter, place: Place, record: StepRecord, ctx: StepContext): Promise<WorkEnd | undefined> {
  const { category } = place.step;
  // A failure after the work, such as a critic's, does not undo it: it is not done again. A budget may come or go meanwhile.
  const { worked, timed } = ctx.once('leave', () => ({ worked: record.output?.artifact !== undefined, timed: isBudgeted(it.run, place) }));
  if (worked) return undefined;
  if (timed) await withinTimeLimit(it, place, ctx);
  if (category === undefined) return undefined;
  const { approved } = await approvalFor(it, place, ctx, { category });
  const { decision } = record.asked ?? {};
  return !approved && decision ? { cause: { kind: 'rejected', decision } } : undefined;
}

/** Nothing begins once the time of an enclosing budget is up: a person is asked for more first. */
function withinTimeLimit(it: Interpreter, place: Place, ctx: StepContext): Promise<void> {
  const { run } = it;
  const holder = { key: `${run.address(place.path)}/time`, place, hold: { granted: {}, charged: { tokens: 0, costMicroUsd: 0 } } };
  return askUntilAllowed(it, ctx, 'time', holder, () => {
    const late = lateAccount(run, accountsAround(run, place));
    return late && outOfTime(late);
  });
}
