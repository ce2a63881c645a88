import { asksAgent } from '../../kinds/questions';
import { traitsOf } from '../../kinds/traits';
import { allActions } from './action';
import type { ControlPlan, ControlStep } from './control';

/**
 * Whether a step may ask a person. Steps that are gates do; so do kinds with gates of their own (an escalated review, a stage that asks, a
 * child's gates), any step with escalating actions, a category of action, or an approval after its work, and an agent's step if any agent's
 * tools need approval, because its agent may call another one.
 */
export function mayOpenGate(step: ControlStep, { agents = {} }: Pick<ControlPlan, 'agents'>): boolean {
  if (traitsOf(step.kind).opensGate || step.approval !== undefined || step.category !== undefined) return true;
  if (asksAgent(step) && Object.values(agents).some(({ gated }) => gated)) return true;
  return allActions(step).some(({ kind }) => kind === 'escalate');
}
