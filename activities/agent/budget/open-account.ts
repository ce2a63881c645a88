import type { ClaimedLog } from '../../../records/ledger';

/**
 * Keeps account of what agents cost and of what they fail with (`records/accounts/account-log.ts`), and counts both.
 *
 * Invariants: 1. an account has a line for each reply of its transcript that was paid for there, in their order, and one for each request of
 * which never got an answer, with what was reserved for it: the sum of its lines is what the budget counts; 2. a reply is in the
 * transcript before it is in the account, so that nothing delays its record: what a crash kept from the account is added when the call goes
 * on; 3. each log has one writer at a time, the attempt that was scheduled last; 4. that a failure cannot be noted hides it from nobody;
 * 5. an account is read once, when it is claimed, and one that has cost anything is durable before its call ends or pauses.
 */

/** The account of a session as far as this try knows it: what it has, and up to where the transcript is in it. */
export interface OpenAccount {
  log: ClaimedLog;
  /** Turns of the transcript that were looked at, and replies among them that were in the account when it was claimed. */
  turns: number;
  known: number;
  /** Requests without a reply that are in it. */
  unanswered: number;
  /** Nothing in it was paid for. */
  isFree: boolean;
}
