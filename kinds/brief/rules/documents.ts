import type { HandOff, SubTask } from '../../../plan/brief/hand-off';
import { field, isJsonObject, type Json } from '../../../plan/text/json';

/** What the rules read from the store. They have written it themselves. */

export type PlanHandOff = Extract<HandOff, { kind: 'plan' }>;

/** Undefined if there is no plan: one agent has none. */
export function planIn(document: Json | undefined): PlanHandOff | undefined {
  return isJsonObject(document) && document['kind'] === 'plan' && Array.isArray(field(document, 'subtasks'))
    ? (document as unknown as PlanHandOff)
    : undefined;
}

export function subTaskIn(plan: PlanHandOff | undefined, id: string): SubTask | undefined {
  return plan?.subtasks.find((one) => one.id === id);
}
