import { type HandOff, isStoredPlan, type SubTask } from '../../../plan/brief/hand-off';
import type { Json } from '../../../plan/text/json';

/** What the rules read from the store. They have written it themselves. */

/** Undefined if there is no plan: one agent has none. */
export function planIn(document: Json | undefined): HandOff<'plan'> | undefined {
  return isStoredPlan(document) ? document : undefined;
}

export function subTaskIn(plan: HandOff<'plan'> | undefined, id: string): SubTask | undefined {
  return plan?.subtasks.find((one) => one.id === id);
}
