import type { ClaimedLog } from '../../../records/ledger';

/**
 * Keeps account of agents' cost and failures (`records/accounts/account-log.ts`), and counts both.
 *
 * Invariants: 1. an account has a line for each reply of its transcript that was paid for there, in their order, and one for each request
 * that never got an answer, with its reservation: the sum of its lines is what the budget counts; 2. a reply is in the transcript before it
 * is in the account, so that nothing delays its record: lines that a crash prevented are added when the call continues; 3. each log has one
 * writer at a time, the attempt that was scheduled last; 4. a failure that cannot be recorded is still reported;
 * 5. an account is read once, when it is claimed, and one with any cost is durable before its call ends or pauses.
 */

/** The account of a session as far as this try knows it: its lines, and how much of the transcript they cover. */
export interface OpenAccount {
  log: ClaimedLog;
  /** Turns of the transcript that were looked at, and replies among them that were in the account when it was claimed. */
  turns: number;
  known: number;
  /** Requests without a reply that are in it. */
  unanswered: number;
  /** It contains no cost. */
  isFree: boolean;
}
