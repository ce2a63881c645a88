import { isBudgeted } from './budget/accounts';
import { withinTime } from './budget/time';
import type { WorkEnd } from './context/memory';
import { approvalFor } from './gates/approvals';
import type { Interpreter } from './interpreter';
import type { Place } from './place';
import { attemptOf, type StepRecord } from './state/record';

/** Kinds whose steps do something outside the run themselves. */
const DOING: readonly string[] = ['agent', 'review', 'command', 'stages', 'notify', 'pipeline'];

/** Whether something must be asked before a step of this kind begins. */
export function needsLeave(it: Interpreter, { step, ...place }: Place): boolean {
  return DOING.includes(step.kind) && (step.category !== undefined || isBudgeted(it.run, { step, ...place }));
}

/**
 * What is before a step's work: time left in its budgets, and, where it does what needs a person's yes, that yes. Answers with what a
 * person said no to.
 */
export async function authorise(it: Interpreter, place: Place, record: StepRecord): Promise<WorkEnd | undefined> {
  // What failed behind the work, as a critic, does not undo it: it is not done again.
  if (record.artifact) return undefined;
  if (isBudgeted(it.run, place)) await withinTime(it, place);
  const { category } = place.step;
  if (category === undefined) return undefined;
  const attempt = attemptOf(record);
  attempt.approvals ??= [await approvalFor(it, place, { category })];
  const [own] = attempt.approvals;
  return own && !own.approved && record.decision ? { cause: { kind: 'rejected', decision: record.decision } } : undefined;
}
