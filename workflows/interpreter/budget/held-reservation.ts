import type { Reservation } from './account-record';

/** What is held by something in progress, and where. */
export interface HeldReservation {
  path: string;
  hold: Reservation;
  /** It keeps what it has while it waits for more, so nobody may wait for what it gives back. */
  waiting?: true;
  /** A swarm holds it up, so it gives nothing back until that has ended. */
  heldUp?: true;
  /** An agent's, from the execution before, until its call is taken up in this one. Nothing of the call is in progress. */
  carriedOver?: true;
}

/** Something that waits for budget, and where. */
export interface BudgetWaiter {
  path: string;
  /** What others give back is of no use to it: it waits for an answer, as to how many tool calls may be made. */
  forAnswer?: true;
}
