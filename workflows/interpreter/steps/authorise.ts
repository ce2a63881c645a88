import { accountsAround, isBudgeted } from '../budget/accounts';
import { askForMore, questionLeft } from '../budget/budget-gate';
import { dueOf } from '../budget/reserve';
import type { WorkEnd } from '../context/attempt-log';
import { approvalFor } from '../gates/step-approval';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { attemptOf, type StepRecord } from '../state/step-record';

/** Kinds whose steps do something outside the run themselves. */
const DOING: readonly string[] = ['agent', 'review', 'command', 'stages', 'notify', 'pipeline'];

/** Whether something must be asked before a step of this kind begins. */
export function needsApprovalFirst(it: Interpreter, { step, ...place }: Place): boolean {
  return DOING.includes(step.kind) && (step.category !== undefined || isBudgeted(it.run, { step, ...place }));
}

/**
 * What is before a step's work: time left in its budgets, and, where it does what needs a person's yes, that yes. Answers with what a
 * person said no to.
 */
export async function authoriseStep(it: Interpreter, place: Place, record: StepRecord): Promise<WorkEnd | undefined> {
  // What failed behind the work, as a critic, does not undo it: it is not done again.
  if (record.artifact) return undefined;
  if (isBudgeted(it.run, place)) await withinTimeLimit(it, place);
  const { category } = place.step;
  if (category === undefined) return undefined;
  const attempt = attemptOf(record);
  attempt.approvals ??= [await approvalFor(it, place, { category })];
  const [own] = attempt.approvals;
  return own && !own.approved && record.decision ? { cause: { kind: 'rejected', decision: record.decision } } : undefined;
}

/** Nothing begins once the time of a budget around it is up: a person is asked for more first. */
async function withinTimeLimit(it: Interpreter, place: Place): Promise<void> {
  const { run } = it;
  const holder = { key: `${run.address(place.path)}/time`, place, hold: { granted: {}, charged: { tokens: 0, costMicroUsd: 0 } } };
  await questionLeft(it, place, holder.key);
  for (;;) {
    const late = accountsAround(run, place).find((account) => dueOf(account) <= run.ctx.now());
    if (!late) return;
    await askForMore(it, holder, late, { kind: 'wallClock' });
  }
}
