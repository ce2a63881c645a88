import type { DecisionAnswer } from '../agents/decision';
import type { Usage } from '../budgets/usage';
import type { BoardMessage } from './message';
import type { BoardRequest } from './request';

/**
 * What passes between a member and its board while it works. Its activity records it in its transcript, and wakes its run, which reads it
 * there; the run puts messages and answers into logs of the ledger, where the activity finds them.
 */

/** As a member's tools write it: to everybody else in the team if it names nobody. */
export type SentMessage = Omit<BoardMessage, 'to'> & { to?: string };

/** What one call of a tool, or one turn, passes on. */
export interface Exchange {
  sent?: SentMessage;
  /** Ids of messages that the turn shows, in the order of the inbox. */
  read?: string[];
  /** A decision for which a call waits. It is absent once the call has its result. */
  asked?: AskedAtWork;
}

export interface AskedAtWork {
  /** The call's idempotency key (`DecisionRequest`). */
  id: string;
  request: BoardRequest;
  /** What the agent has used by then: it belongs to the tasks that it has before the decision. */
  used?: Usage;
}

/** The log with the run's answers to what a member asks at work. @param inbox the log with its messages */
export function answersLog(inbox: string): string {
  return `${inbox}/answers`;
}

export interface ExchangedInput {
  run: string;
  /** The address of the agent's activity. */
  call: string;
  /** How many exchanges are known. */
  after: number;
}

export interface ExchangedOutput {
  /** The others, in order. */
  exchanges: Exchange[];
  /** There are more than one answer can hold. */
  more?: true;
}

export interface PostInput {
  run: string;
  /** A log of the ledger that the member reads: its inbox, or that of answers. */
  log: string;
  lines: readonly (BoardMessage | DecisionAnswer)[];
}

/** A payload over 2 MiB wedges a run forever. In characters of JSON, each of which takes up to three bytes. */
const PAGE_CHARACTERS = 200_000;

/** The first ones of a list that fit into a payload: at least one. */
export function pageOf<T>(list: readonly T[], characters = PAGE_CHARACTERS, sizeOf = (one: T) => JSON.stringify(one).length): T[] {
  let used = 0;
  const end = list.findIndex((one, at) => {
    used += sizeOf(one);
    return at > 0 && used > characters;
  });
  return end < 0 ? [...list] : list.slice(0, end);
}
