import type { BudgetShort } from '../../../plan/budgets/budget';
import type { Reservation } from './account-record';

/** A reservation of something in progress, and its place. */
export interface HeldReservation {
  path: string;
  hold: Reservation;
  /** It keeps what it has while it waits for more, so nobody may wait for it to come back. */
  waiting?: true;
  /** An exclusive turn (`scheduling/exclusive-turn.ts`) holds it up, so it gives nothing back until that has ended. */
  heldUp?: true;
  /** An agent's, from the earlier execution, until this one takes up its call. Nothing of the call is in progress. */
  carriedOver?: true;
}

/** Something that waits for budget, and its place. */
export interface BudgetWaiter {
  path: string;
  /** Amounts that others give back do not help it: it waits for an answer, for example on the number of tool calls. */
  forAnswer?: true;
}

/** The question for a person: more of what an account has. Plain JSON, since it is remembered. */
export interface BudgetQuestion {
  /** Path of the account, `` for the run's. */
  account: string;
  short: BudgetShort;
}
