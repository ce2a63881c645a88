import type { Allowance, Amounts, BudgetSpec } from '../../../plan/budgets/budget';

/** Of one try, or one spawned child: what was granted to it in all, and what of that is used up. */
export interface Reservation {
  granted: Amounts;
  charged: Required<Amounts>;
  /** What it needs in all before it can continue, as far as it has said. */
  needed?: Amounts;
}

/** The book of a budget: what was used up under it, and what changed its ceilings since the plan was frozen. */
export interface AccountRecord {
  spent: Required<Amounts>;
  unknownCost?: true;
  /** Ceilings that an operator has set; they win over the plan's. */
  ceilings?: BudgetSpec;
  /** Of a child run: what its parent has given it. */
  allowance?: Allowance;
}
