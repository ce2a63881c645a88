import type { EscalationTarget } from '../../../plan/action';
import type { Interpreter } from '../interpreter';

/** The people of the run's chain of escalation. */
export function peopleIn({ run }: Interpreter): EscalationTarget[] {
  return (run.plan.escalation ?? []).filter((target) => target.kind === 'human');
}
