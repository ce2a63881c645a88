import type { SpawnRequest, SpawnResult } from '../../../plan/agents/spawned-agent';
import type { Allowance, Amounts, BudgetSpec } from '../../../plan/budgets/budget';
import type { ApprovalNeed } from '../../../plan/people/category';
import type { TryNote } from '../../../plan/steps/try-note';

/** What is kept of a call of an agent while it lasts. */
export interface AgentCallState {
  /** What it holds of the budgets around it. */
  hold?: Reservation;
  /** Children that it has spawned. */
  spawned?: SpawnRecord[];
  /** Ids of the requests that the run has taken up; those of tries before it count, because it may continue from one. */
  runRequests?: string[];
  /** While it waits for one of them to end: which, by id. */
  awaits?: string[];
  /** What it wants to do and asks a person's leave for. */
  need?: ApprovalNeed;
  /** How many of its events the journal has. */
  journalled?: number;
}

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

export interface SpawnRecord extends SpawnRequest, AgentCallState {
  depth: number;
  result?: SpawnResult;
  /** Which fresh agent is asked, from 2 on, and why. */
  try?: number;
  note?: TryNote;
}
