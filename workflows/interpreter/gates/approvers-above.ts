import type { EscalationTarget } from '../../../plan/steps/action';
import type { Interpreter } from '../interpreter';

/** Who decides if neither a gate nor the chain names anybody. */
export function approversAbove(it: Interpreter): { approvers?: string[] } {
  const last = peopleInChain(it).at(-1);
  return last?.kind === 'human' && last.approvers ? { approvers: last.approvers } : {};
}

/** The people of the run's chain of escalation. */
export function peopleInChain({ run }: Interpreter): EscalationTarget[] {
  return (run.plan.escalation ?? []).filter((target) => target.kind === 'human');
}
