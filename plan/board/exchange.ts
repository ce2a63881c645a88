import type { BoardMessage } from './message';

/**
 * Messages that a member sends and reads while it works. Its activity records both with its turns, and wakes its run, which reads them
 * there; the run puts what has come for the member into a log of the ledger, where the activity finds it.
 */

/** As a member's tools write it: to everybody else in the team if it names nobody. */
export type SentMessage = Omit<BoardMessage, 'to'> & { to?: string };

/** What one turn has done with messages. */
export interface Exchange {
  sent?: SentMessage;
  /** Ids of messages that the turn shows, in the order of the inbox. */
  read?: string[];
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
  /** The log of the ledger that the member reads (`MemberWork`). */
  inbox: string;
  messages: BoardMessage[];
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
