import type { Allowance, Amounts, BudgetSpec } from '../../../plan/budgets/budget';

/** The reservation of one try, or one spawned child: the total granted to it, and how much of that is used. */
export interface Reservation {
  granted: Amounts;
  charged: Required<Amounts>;
  /** The total that the account needs before its step can continue, if the step has said so. */
  needed?: Amounts;
}

/** The book of a budget: what was used under it, and changes of its ceilings since the plan was frozen. */
export interface AccountRecord {
  spent: Required<Amounts>;
  unknownCost?: true;
  /** Ceilings that an operator has set; they win over the plan's. */
  ceilings?: BudgetSpec;
  /** Set for a child run: its parent's allowance. */
  allowance?: Allowance;
  /** The time of a step's budget that does not count, since the step began at `ofMs`. */
  rest?: Rest & { ofMs: number };
}

/** For how long a clock has rested, and since when it does. */
export interface Rest {
  forMs: number;
  sinceMs?: number;
}

/** Returns whether the clock goes on now. */
export function addRest(rest: Rest, rests: boolean, nowMs: number): boolean {
  if (rests) {
    rest.sinceMs ??= nowMs;
    return false;
  }
  if (rest.sinceMs === undefined) return false;
  rest.forMs += nowMs - rest.sinceMs;
  delete rest.sinceMs;
  return true;
}
