import { actOn } from './actions';
import { isBudgeted } from './budget/accounts';
import { withinTime } from './budget/time';
import { approvalFor } from './gates/approvals';
import type { Interpreter } from './interpreter';
import type { Place } from './place';
import type { StepResult } from './settle';
import type { StepRecord } from './state/record';

/** Kinds whose steps do something outside the run themselves. */
const DOING: readonly string[] = ['agent', 'review', 'command', 'stages', 'notify', 'pipeline'];

/** Whether something must be asked before a step of this kind begins. */
export function needsLeave(it: Interpreter, { step, ...place }: Place): boolean {
  return DOING.includes(step.kind) && (step.category !== undefined || isBudgeted(it.run, { step, ...place }));
}

/**
 * What stands before a step's work: time left in its budgets, and, where it does what needs a person's yes, that yes. `settled` where
 * a person said no: the run ends as rejected.
 */
export async function authorise(it: Interpreter, place: Place, record: StepRecord): Promise<StepResult | 'go'> {
  // Its work has begun already: what an earlier execution got leave for needs none again.
  if (record.artifact || record.child || record.halted) return 'go';
  if (isBudgeted(it.run, place)) await withinTime(it, place);
  const { category } = place.step;
  if (category === undefined) return 'go';
  record.approvals ??= [await approvalFor(it, place, { category })];
  const [own] = record.approvals;
  if (!own || own.approved || !record.decision) return 'go';
  return await actOn(it, place, [], { kind: 'rejected', decision: record.decision });
}
